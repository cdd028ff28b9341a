import Testing

@testable import AppStore

@Suite struct `the outcome of a response of verifyReceipt` {
    typealias Outcome = VerifyReceiptOutcome

    @Test(
        arguments: [
            (0, .valid), (21_000, .ourFault), (21_001, .retry(.status(21_001))),
            (21_002, .retry(.status(21_002))), (21_003, .retry(.status(21_003))), (21_004, .wrongSecret),
            (21_005, .retry(.status(21_005))), (21_006, .notEntitled), (21_007, .ask(.sandbox)),
            (21_008, .retry(.status(21_008))), (21_009, .retry(.status(21_009))), (21_010, .neverPurchased),
            (21_011, .retry(.status(21_011))), (21_099, .retry(.status(21_099))),
            (21_200, .retry(.status(21_200))), (1, .retry(.status(1))), (-1, .retry(.status(-1))),
            (31_000, .retry(.status(31_000))), (.max, .retry(.status(.max))),
        ] as [(Int, Outcome)]
    )
    func `of production, the first time`(status: Int, outcome: Outcome) {
        #expect(Outcome(status: status) == outcome)
    }

    @Test(arguments: [
        (0, Outcome.valid), (21_007, .retry(.status(21_007))), (21_008, .ask(.production)),
        (21_006, .notEntitled),
    ])
    func `of the sandbox, the first time`(status: Int, outcome: Outcome) {
        #expect(Outcome(status: status, from: .sandbox) == outcome)
    }

    @Test(arguments: AppleServer.allCases, [21_007, 21_008])
    func `is never to be sent on a second time`(asked: AppleServer, status: Int) {
        #expect(Outcome(status: status, from: asked, isRedirected: true) == .retry(.status(status)))
    }

    @Test(arguments: 21_100...21_199)
    func `is to ask again after trouble with data, unless Apple says not to`(status: Int) {
        #expect(Outcome(status: status) == .retry(.status(status)))
        #expect(Outcome(status: status, isRetryable: true) == .retry(.status(status)))
        #expect(Outcome(status: status, isRetryable: false) == .park(status: status))
    }

    @Test func `heeds is-retryable nowhere else`() {
        for status in [0, 21_002, 21_005, 21_006, 21_009, 21_010] {
            #expect(Outcome(status: status, isRetryable: false) == Outcome(status: status))
        }
    }

    @Test(arguments: [(21_002, 5), (21_003, 2)])
    func `is no only when Apple has said so often enough`(status: Int, limit: Int) {
        for earlier in 0..<8 {
            let expected: Outcome = earlier + 1 < limit ? .retry(.status(status)) : .reject(status: status)
            #expect(Outcome(status: status, earlierRefusals: earlier) == expected)
            #expect(expected.isRefusal)
        }
    }

    @Test(arguments: [0, 21_001, 21_004, 21_005, 21_006, 21_007, 21_009, 21_010, 21_100, 99_999])
    func `is never no for any other status, however often it came`(status: Int) {
        let outcome = Outcome(status: status, earlierRefusals: 1_000)
        #expect(outcome == Outcome(status: status))
        #expect(!outcome.isRefusal)
    }

    @Test(arguments: [201, 204, 301, 302, 400, 401, 403, 404, 408, 429, 500, 502, 503, 504])
    func `is to ask again after any other HTTP status, whatever the body says`(http: Int) {
        for status in [nil, 0, 21_002, 21_010] {
            #expect(Outcome(http: http, status: status) == .retry(.http(http)))
        }
    }

    @Test func `is that a receipt is too large after HTTP 413`() {
        #expect(Outcome(http: 413, status: nil) == .tooLarge)
    }

    @Test func `is to ask again where there is no status`() {
        #expect(Outcome(status: nil) == .retry(.noStatus))
    }

    @Test func `counts what Apple refused, and nothing else, towards a no`() {
        let outcomes: [Outcome] = [
            .retry(.noResponse(.timedOut)), .retry(.status(21_005)), .retry(.circuitOpen),
            .retry(.status(21_002)), .wrongSecret, .retry(.status(21_003)), .reject(status: 21_003),
        ]
        #expect(outcomes.map(\.isRefusal) == [false, false, false, true, false, true, true])
    }
}
