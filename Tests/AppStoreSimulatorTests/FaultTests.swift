import AppStore
import Contracts
import Foundation
import HTTPTypes
import NIOConcurrencyHelpers
import Testing

@testable import AppStoreSimulator

@Suite struct `A fault of the simulated store` {
    private let store: TestStore

    init() async throws { store = try await TestStore() }

    private static let path = "/production/verifyReceipt"

    private func fault(_ kind: String, _ more: String = "") async throws {
        try await store.fault(Self.path, kind, more)
    }

    @Test func `delays the answer`() async throws {
        try await fault("delay", #""milliseconds":1500"#)
        #expect(try await store.verify("AAAA").receiptStatus == 21_002)
        #expect(store.pauses.withLockedValue { $0 } == [1_500])
    }

    private static let answers: [(kind: String, more: String, status: Int, text: String)] = [
        ("status", #""status":503,"body":"down""#, 503, "down"),
        ("receiptStatus", #""status":21005,"isRetryable":true"#, 200, #"{"is-retryable":1,"status":21005}"#),
        ("receiptStatus", #""status":21009,"isRetryable":false"#, 200, #"{"is-retryable":0,"status":21009}"#),
        ("receiptStatus", #""status":21100"#, 200, #"{"status":21100}"#),
        (
            "apiError", #""status":404,"errorCode":4040002,"errorMessage":"Later.""#, 404,
            #"{"errorCode":4040002,"errorMessage":"Later."}"#
        ),
        ("html", "", 200, FaultMiddleware.page), ("empty", "", 200, ""),
        ("truncated", "", 200, FaultMiddleware.cutOff),
    ]

    @Test(arguments: answers.indices)
    func `answers a status, an error, HTML, nothing or half of an answer in the place of Apple's`(
        index: Int
    ) async throws {
        let (kind, more, status, text) = Self.answers[index]
        try await fault(kind, more)
        let answer = try await store.verify("AAAA")
        #expect((answer.status, answer.text) == (status, text))
    }

    @Test func `resets the connection, and the next request finds another`() async throws {
        try await fault("reset", #""count":1"#)
        try await store.live { store in
            await #expect(throws: (any Error).self) { try await store.verify("AAAA") }
        }
    }

    @Test func `lets the answer trickle`() async throws {
        try await fault("trickle", #""bytes":3,"milliseconds":50"#)
        let answer = try await store.verify("AAAA")
        #expect(answer.receiptStatus == 21_002)
        let pieces = (answer.text.utf8.count + 2) / 3
        #expect(store.pauses.withLockedValue { $0 } == Array(repeating: 50, count: pieces))
    }

    @Test func `tells all but so many requests a second to come back, when in milliseconds`() async throws {
        try await fault("rateLimit", #""perSecond":2"#)
        var statuses: [Int] = []
        for _ in 0..<4 { statuses.append(try await store.verify("AAAA").status) }
        #expect(statuses == [200, 200, 429, 429])
        let refused = try await store.verify("AAAA")
        #expect(refused.errorCode == 4_290_000)
        #expect(refused.headers[.retryAfter] == String(TestStore.start + 1_000))
        store.clock.advance(milliseconds: 1_000)
        #expect(try await store.verify("AAAA").status == 200)
    }

    @Test(arguments: [
        ("wrongSignature", VerificationFailure.Reason.badSignature),
        ("expiredCertificate", .expiredCertificate),
    ])
    func `spoils what is signed`(kind: String, expected: VerificationFailure.Reason) async throws {
        try await store.listen()
        let id = try await store.buy().transactionId
        for path in ["/production/inApps", "/_control"] { try await store.fault(path, kind) }
        let info = try await store.api(.get, "v1/transactions/\(id)")
        let sold = try await store.buy("pro", "Non-Consumable", #""appReceipt":true"#)
        let receipt = try #require(Data(base64Encoded: sold.text("appReceipt")))
        let readers: [() throws -> Void] = [
            { _ = try store.verified(info.text("signedTransactionInfo")) },
            { _ = try store.verified(sold.text("transactions", "0", "signedTransaction")) },
            { _ = try store.verified(notification: sold.text("notifications", "0", "signedPayload")) },
            { _ = try AppReceiptVerifier(extraRoots: store.roots).verify(Array(receipt)) },
        ]
        for read in readers {
            #expect { try read() } throws: { ($0 as? VerificationFailure)?.reason == expected }
        }
    }

    @Test func `strikes so many times, at its path and method only`() async throws {
        try await fault("status", #""status":500,"count":2,"method":"POST""#)
        #expect(try await store.verify("AAAA", .sandbox).status == 200)
        #expect(try await store.send(.get, Self.path).status == 200)
        var statuses: [Int] = []
        for _ in 0..<3 { statuses.append(try await store.verify("AAAA").status) }
        #expect(statuses == [500, 500, 200])
    }

    @Test func `lasts as long as it is to last`() async throws {
        try await fault("status", #""status":500,"seconds":60"#)
        store.clock.advance(milliseconds: 59_999)
        #expect(try await store.verify("AAAA").status == 500)
        store.clock.advance(milliseconds: 1)
        #expect(try await store.verify("AAAA").status == 200)
    }

    @Test func `strikes as often as its probability says`() async throws {
        try await fault("status", #""status":500,"probability":0.25"#)
        var struck = 0
        for _ in 0..<400 where try await store.verify("AAAA").status == 500 { struck += 1 }
        #expect((60...140).contains(struck))
    }

    @Test func `is listed, counted and ended`() async throws {
        try await fault("html")
        try await fault("empty")
        #expect(try await store.verify("AAAA").text.contains("html"))
        let list = try await store.send(.get, "/_control/faults")
        #expect(list.array("faults").count == 2)
        #expect(list["faults", "0", "struck"] == .integer(1))
        #expect(try await store.send(.delete, "/_control/faults/1").status == 204)
        #expect(try await store.send(.delete, "/_control/faults/1").status == 404)
        #expect(try await store.verify("AAAA").text.isEmpty)
        #expect(try await store.send(.delete, "/_control/faults").status == 204)
        #expect(try await store.verify("AAAA").receiptStatus == 21_002)
    }

    @Test(arguments: [
        #"{"path":"x","kind":"html"}"#, #"{"path":"/x","kind":"flood"}"#, #"{"path":"/x"}"#,
        #"{"path":"/x","kind":"delay"}"#, #"{"path":"/x","kind":"status"}"#,
        #"{"path":"/x","kind":"receiptStatus"}"#, #"{"path":"/x","kind":"html","count":0}"#,
        #"{"path":"/x","kind":"html","probability":2}"#, #"{"path":"/x","kind":"html","seconds":0}"#,
        #"{"path":"/x","kind":"trickle","bytes":0}"#,
    ])
    func `that cannot be is refused`(body: String) async throws {
        #expect(try await store.control("faults", body).status == 400)
    }
}
