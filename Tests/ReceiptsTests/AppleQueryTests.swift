import Contracts
import Testing

@testable import Receipts

@Suite struct `a query to Apple` {
    private static let now = Sample.start
    private static let later = Sample.start.advanced(by: 90_000)
    private static let both: Set<AppleAPI> = [.serverAPI, .verifyReceipt]
    private static let found = AppleJobResult.found(contents)
    private static let contents = ProofContents(transactions: [Sample.transaction()], unreadable: 1)

    private static func query(
        _ api: AppleAPI = .serverAPI,
        _ subject: AppleQuery.Subject = .proof(Sample.receipt(1)),
        after outcomes: [AppleJobResult.Outcome] = []
    ) -> AppleQuery {
        var query = AppleQuery(subject, of: Sample.app, to: api, urgency: .awaited, askedAt: now)
        for outcome in outcomes { _ = apply(AppleJobResult(outcome), to: &query, [api]) }
        return query
    }

    private static func apply(
        _ result: AppleJobResult,
        to query: inout AppleQuery,
        _ apis: Set<AppleAPI>
    ) -> [AppleQuery.Directive] {
        query.apply(result, now: now, apis: apis, random: 0)
    }

    /// Every result, asked of each API alone: what follows, and when the query is due if it is asked again.
    private static let table:
        [(result: AppleJobResult, directives: [AppleQuery.Directive], dueAt: Timestamp?)] = [
            (found, [.judge(contents), .remove], nil),
            (AppleJobResult(.contradicted), [.fail(.contradicted), .remove], nil),
            (AppleJobResult(.unknown), [.save], now.advanced(by: 5_000)),
            (AppleJobResult(.tooLarge), [.fail(.unverified), .remove], nil),
            (.refused(.neverPurchased), [.fail(.neverPurchased), .remove], nil),
            (AppleJobResult(.doubted, until: now.advanced(by: 9_000)), [.save], now.advanced(by: 10_000)),
            (AppleJobResult(.unavailable, until: later), [.save], later),
            (AppleJobResult(.unauthorized, until: later, problem: "key"), [.alert("key"), .save], later),
        ]

    @Test(arguments: AppleAPI.allCases, table)
    func `has one meaning for each answer`(
        _ api: AppleAPI,
        _ row: (result: AppleJobResult, directives: [AppleQuery.Directive], dueAt: Timestamp?)
    ) {
        var query = Self.query(api)
        let directives = Self.apply(row.result, to: &query, [api])
        #expect(directives == row.directives)
        #expect(query.api == api)
        #expect(query.dueAt == row.dueAt ?? Self.now)
    }

    @Test(arguments: [AppleJobResult.Outcome.unavailable, .unauthorized])
    func `is never given up while Apple says nothing, and nothing is counted`(
        _ outcome: AppleJobResult.Outcome
    ) {
        var query = Self.query(after: [.unknown, .doubted])
        for failures in 1...1_000 {
            let directives = Self.apply(AppleJobResult(outcome, until: Self.later), to: &query, Self.both)
            #expect(directives.last == .save)
            #expect(query.dueAt == Self.later)
            #expect((query.attempts, query.refusals, query.failures) == (2, 1, failures))
            #expect(query.api == .serverAPI)
        }
    }

    @Test
    func `about a transaction that Apple does not know is asked five times within hours, then an operator's`()
    {
        var query = Self.query()
        var moments: [Timestamp] = []
        var directives = Self.apply(AppleJobResult(.unknown), to: &query, [.serverAPI])
        while directives == [.save] {
            moments.append(query.dueAt)
            directives = Self.apply(AppleJobResult(.unknown), to: &query, [.serverAPI])
        }
        #expect(moments == AppleQuery.unknownPauses.map { Self.now.advanced(by: $0) })
        #expect(directives == [.fail(.unknownToApple), .remove])
        #expect(ProofFailure.unknownToApple.verdict == .parked)
    }

    @Test(arguments: [AppleJobResult.Outcome.unknown, .contradicted])
    func `goes on to verifyReceipt where the API is at its end`(_ outcome: AppleJobResult.Outcome) {
        var query = Self.query(after: AppleQuery.unknownPauses.map { _ in .unknown })
        let moved = Self.apply(AppleJobResult(outcome), to: &query, Self.both)
        #expect(moved == [.save])
        #expect(query == Self.query(.verifyReceipt))
        let answered = Self.apply(Self.found, to: &query, Self.both)
        #expect(answered == [.judge(Self.contents), .remove])
    }

    @Test func `counts what Apple refused, for Apple refuses for good only what it refused before`() {
        var query = Self.query(.verifyReceipt)
        for outcome in [AppleJobResult.Outcome.doubted, .unavailable, .doubted] {
            _ = Self.apply(AppleJobResult(outcome, until: Self.later), to: &query, [.verifyReceipt])
        }
        #expect((query.attempts, query.refusals) == (2, 2))
    }

    @Test(arguments: AppleJobResult.Outcome.allCases)
    func `that may have missed something delivers what it found, and ends with every answer`(
        _ outcome: AppleJobResult.Outcome
    ) {
        let history = HistoryQuery(environment: .production, transactionId: TransactionID(unchecked: "1"))
        var result = AppleJobResult(outcome)
        result.contents.transactions = [Sample.transaction()]
        for subject in [
            AppleQuery.Subject.evidence(Sample.receipt(1), Sample.alice), .history(history),
        ] {
            var query = Self.query(.serverAPI, subject)
            let directives = Self.apply(result, to: &query, [.serverAPI])
            guard !result.isUnanswered else {
                #expect(directives.last == .save)
                continue
            }
            if case .evidence = subject, outcome == .unknown {
                #expect(directives == [.save], "Apple may know it later")
                continue
            }
            let delivery: AppleQuery.Directive =
                if case .history = subject { .deliver(result.contents.transactions) } else {
                    .weigh(
                        result.contents.transactions,
                        mayKnowMore: outcome == .found || outcome == .tooLarge
                    )
                }
            #expect(directives == [delivery, .remove])
        }
    }

    @Test func `of a history reads page by page, and from the first again when Apple lost the page`() {
        let first = HistoryQuery(environment: .production, transactionId: TransactionID(unchecked: "1"))
        var second = first
        second.page = "two"
        var query = Self.query(.serverAPI, .history(first))
        let page = Self.apply(.found(next: "two"), to: &query, [.serverAPI])
        #expect(page == [.deliver([]), .save])
        #expect(query.subject == .history(second) && query.dueAt == Self.now)
        let lostPage = Self.apply(AppleJobResult(.unknown), to: &query, [.serverAPI])
        #expect(lostPage == [.deliver([]), .save])
        #expect(query.subject == .history(first))
        #expect(query.dueAt == Self.now.advanced(by: AppleQuery.alertPause))
        let last = Self.apply(AppleJobResult(.unknown), to: &query, [.serverAPI])
        #expect(last == [.deliver([]), .remove])
    }
}
