import AppStore
import Contracts
import Foundation
import Testing

@Suite struct `payloads` {
    @Test func `have a place for every field that Apple documents`() throws {
        let samples: [(json: String, type: any Codable.Type)] = [
            (EveryField.transaction, SignedTransaction.self),
            (EveryField.renewalInfo, RenewalInfoPayload.self),
            (EveryField.appTransaction, AppTransactionPayload.self),
            (EveryField.notification, ServerNotificationPayload.self),
        ]
        for (text, type) in samples {
            let json = Data(text.utf8)
            #expect(try roundTrip(json, type) == value(json))
        }
    }

    @Test func `say nothing where Apple says nothing`() throws {
        let types: [any Codable.Type] = [
            RenewalInfoPayload.self, AppTransactionPayload.self, ServerNotificationPayload.self,
        ]
        for type in types { #expect(try roundTrip(Data("{}".utf8), type) == .object([:])) }
    }

    @Test(arguments: [
        ("1697680122257.447", Int64(1_697_680_122_257)), ("1697680122257", 1_697_680_122_257),
        ("-62135769600000", -62_135_769_600_000), ("0.9", 0), ("1e3", 1_000),
    ])
    func `have dates whose fractions are cut off`(json: String, count: Int64) throws {
        let text = #"{"receiptCreationDate":\#(json)}"#
        let payload = try JSONDecoder().decode(AppTransactionPayload.self, from: Data(text.utf8))
        #expect(payload.receiptCreationDate == Milliseconds(count))
        #expect(payload.signingTime == Timestamp(milliseconds: count))
    }

    @Test(arguments: ["1e300", "\"1\"", "true", "[]", "{}"])
    func `have no other dates`(json: String) {
        let text = Data(#"{"receiptCreationDate":\#(json)}"#.utf8)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(AppTransactionPayload.self, from: text)
        }
    }

    @Test func `name the environment in their own ways`() throws {
        func environment(_ json: String) throws -> Environment? {
            try JSONDecoder().decode(ServerNotificationPayload.self, from: Data(json.utf8)).origin.environment
        }
        #expect(try environment(#"{"data":{"environment":"Sandbox"}}"#) == .sandbox)
        #expect(try environment(#"{"summary":{"environment":"Production"}}"#) == .production)
        #expect(try environment(#"{"appData":{"environment":"Moon"}}"#) == Environment(rawValue: "Moon"))
        let token = #"{"externalPurchaseToken":{"externalPurchaseId":"#
        #expect(try environment(token + #""SANDBOX_1"}}"#) == .sandbox)
        #expect(try environment(token + #""1"}}"#) == .production)
        #expect(try environment(#"{"data":{}}"#) == nil)
        #expect(try environment("{}") == nil)
    }
}

/// The payload after it was taken apart and put together again.
func roundTrip<Payload: Codable>(_ json: Data, _: Payload.Type) throws -> JSONValue {
    let payload = try JSONDecoder().decode(Payload.self, from: json)
    return try value(try JSONEncoder().encode(payload))
}

/// What a text of JSON says.
func value(_ json: Data) throws -> JSONValue {
    try JSONDecoder().decode(JSONValue.self, from: json)
}
