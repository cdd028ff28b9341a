import Contracts
import Foundation
import Testing

@testable import Delivery

@Suite struct `the wire's headers` {
    static let headers: [WireHeader] = [
        WireHeader(.delivery(.init(link: 0, epoch: 1, sequence: .max >> 4))),
        WireHeader(.delivery(.init(link: .max >> 2, epoch: .max >> 2, sequence: .max >> 2))),
        WireHeader(.settled(.init(link: 7, epoch: 3, last: 12, credit: 0))),
        WireHeader(.settled(.init(link: .max >> 2, epoch: 1, last: 999_999_999_999_999_999, credit: 512))),
        WireHeader(.refused(.init(link: 1, epoch: 2, last: 3, reason: .gap))),
        WireHeader(
            .attach(
                .init(
                    from: PartitionAddress(.orders, 3),
                    to: PartitionAddress(.entitlements, 0),
                    incarnation: "i",
                    attempt: 9,
                    settled: 1,
                    next: 4
                )
            )
        ),
        WireHeader(.astray(.init(attempt: 9))),
        WireHeader(request: .init(id: "q", to: PartitionAddress(.notifications, 12), within: 250)),
        WireHeader(request: .init(id: #"a "b" ü\n"#, to: PartitionAddress(.orders, 0), within: 0)),
        WireHeader(reply: .init(id: "0a-Z9")),
        WireHeader(reply: .init(id: "\\")),
        WireHeader(reply: .init(id: "")),
        WireHeader(reply: .init(id: "q", refused: RequestRefusal(.busy, "again"))),
        WireHeader(reply: .init(id: "q", isAstray: true)),
    ]

    @Test(arguments: headers) func `come back as they went, with their events`(header: WireHeader) {
        let message = WireMessage(header, body: [[1, 2], []])
        #expect(WireCoder().decode(WireCoder().encode(message)) == message)
    }

    @Test(arguments: headers) func `are read by any reader of JSON`(header: WireHeader) throws {
        let frames = WireCoder().encode(WireMessage(header))
        #expect(try JSONDecoder().decode(WireHeader.self, from: Data(frames[1])) == header)
    }

    @Test(arguments: headers) func `have one text, whichever coder writes it`(header: WireHeader) throws {
        let text = try EventCoder.encoder().encode(header)
        #expect(WireCoder().encode(WireMessage(header))[1] == text)
        #expect(try JSONDecoder().decode(WireHeader.self, from: Data(text)) == header)
    }

    @Test(arguments: [
        #"{ "delivery": { "sequence": 3, "epoch": 2, "link": 1, "later": true } }"#,
        #"{"delivery":{"epoch":2,"link":1,"sequence":3}}"#,
    ])
    func `are understood in any layout and order`(text: String) {
        let expected = WireMessage(WireHeader(.delivery(.init(link: 1, epoch: 2, sequence: 3))))
        #expect(WireCoder().decode([WireMessage.magic, Array(text.utf8)]) == expected)
    }

    @Test(arguments: [
        "", "{", #"{"delivery":{"link":1,"epoch":2,"sequence":}}"#, #"{"delivery":{"link":-1}}"#, "[]",
        #"{"delivery":{"link":01,"epoch":2,"sequence":3}}"#, #"{"reply":{"id":"q}}"#,
        #"{"request":{"id":"q","to":"/orders/0","within":1}}}"#, #"{"request":{"id":"q","within":1}}"#,
        #"{"request":{"id":"q","to":"/orders","within":1}}"#,
    ])
    func `that are none are nothing`(text: String) {
        #expect(WireCoder().decode([WireMessage.magic, Array(text.utf8)]) == nil)
        #expect(WireCoder().decode([Array("CF2".utf8), Array("{}".utf8)]) == nil)
        #expect(WireCoder().decode([WireMessage.magic]) == nil)
    }
}
