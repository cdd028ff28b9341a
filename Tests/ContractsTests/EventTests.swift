import Contracts
import Foundation
import Testing

@Suite struct Events {
    @Test func `An event is one line of CloudEvents 1.0 with members in their order and bare slashes`() throws
    {
        let event = Event(
            id: EventID(unchecked: "e-2"),
            source: "/operator",
            time: Timestamp(milliseconds: 1_767_225_602_000),
            subject: "com.example.game/player-42",
            data: DeadLetterGetV1(letterId: "17")
        )
        let written = String(decoding: try EventCoder.encoder().encode(event), as: UTF8.self)
        #expect(
            written == """
                {"specversion":"1.0","id":"e-2","source":"/operator","type":"counterfoil.deadletter.get.v1",\
                "time":"2026-01-01T00:00:02.000Z","subject":"com.example.game/player-42","data":{"letterId":"17"}}
                """
        )
    }

    @Test func `A set of ids has the same bytes every time`() throws {
        let ids = (0..<50).map { "id-\($0 + 10)" }
        let written = try EventCoder.encoder().encode(Trace(related: Set(ids)))
        let list = ids.map { "\"\($0)\"" }.joined(separator: ",")
        #expect(String(decoding: written, as: UTF8.self) == "{\"entries\":[],\"related\":[\(list)]}")
    }

    @Test(arguments: [
        (ClaimCandidate.token("A-TOKEN"), #"{"token":"A-TOKEN"}"#),
        (.holder(BuyerID(unchecked: "b-2")), #"{"holderId":"b-2"}"#),
        (.registered(BuyerID(unchecked: "ada")), #"{"registeredBuyerId":"ada"}"#),
        (
            .order(OrderID(unchecked: "019371c8-2e5f-8a3c-9e07-5d1f0b6c2a48")),
            #"{"orderId":"019371c8-2e5f-8a3c-9e07-5d1f0b6c2a48"}"#
        ),
        (.caller(BuyerID(unchecked: "ada")), #"{"callerId":"ada"}"#),
    ])
    func `A candidate is an object with one member that names its kind`(
        candidate: ClaimCandidate,
        json: String
    ) throws {
        #expect(String(decoding: try EventCoder.encoder().encode(candidate), as: UTF8.self) == json)
        #expect(try JSONDecoder().decode(ClaimCandidate.self, from: Data(json.utf8)) == candidate)
    }

    @Test(arguments: [
        #"9007199254740993"#, #"-9223372036854775808"#, #"true"#, #"1.5"#, #"null"#, #"[]"#,
        #"{"a":{"b":[1,false]}}"#,
        #""true""#, #""""#,
    ])
    func `Any JSON value comes back as it was`(json: String) throws {
        let value = try JSONDecoder().decode([JSONValue].self, from: Data("[\(json)]".utf8))
        #expect(String(decoding: try EventCoder.encoder().encode(value), as: UTF8.self) == "[\(json)]")
    }
}
