import Contracts
import ReceiptsCore
import Testing

@Suite struct `a query to Apple` {
    private static let now = Sample.start
    private static let later = Sample.start.advanced(by: 9_000)
    private static let both: [AppleAPI] = [.serverAPI, .verifyReceipt]

    private static let found = AppleQuery.Answer.found([Sample.transaction()], unreadable: 1)

    /// Every answer, asked of each api alone: what follows.
    private static let table: [(AppleAPI, AppleQuery.Answer, [AppleQuery.Directive])] = AppleAPI.allCases
        .flatMap {
            api -> [(AppleAPI, AppleQuery.Answer, [AppleQuery.Directive])] in
            [
                (api, found, [.settle([Sample.transaction()], unreadable: 1)]),
                (api, .contradicted, [.fail(.contradicted)]),
                (api, .unknown, [.ask(at: now.advanced(by: 5_000))]),
                (api, .tooLarge, [.fail(.unverified)]),
                (api, .refused(.neverPurchased), [.fail(.neverPurchased)]),
                (api, .doubted(again: later), [.ask(at: now.advanced(by: 10_000))]),
                (api, .unavailable(until: later), [.ask(at: later)]),
                (api, .unauthorized(until: later), [.callOperator, .ask(at: later)]),
            ]
        }

    @Test(arguments: table)
    func `has one meaning for each answer`(
        _ api: AppleAPI,
        _ answer: AppleQuery.Answer,
        _ directives: [AppleQuery.Directive]
    ) {
        var query = AppleQuery(to: api)
        #expect(query.apply(answer, now: Self.now, apis: [api]) == directives)
        #expect(query.api == api)
    }

    @Test(arguments: [AppleQuery.Answer.unavailable(until: later), .unauthorized(until: later)])
    func `is never given up while Apple says nothing, and nothing is counted`(_ answer: AppleQuery.Answer) {
        var query = AppleQuery(to: .serverAPI, attempts: 2, refusals: 1)
        let before = query
        for _ in 0..<1_000 {
            let directives = query.apply(answer, now: Self.now, apis: Self.both)
            #expect(directives.last == .ask(at: Self.later))
            #expect(query == before)
        }
    }

    @Test
    func `about a transaction that Apple does not know is asked five times within hours, then an operator's`()
    {
        var query = AppleQuery(to: .serverAPI)
        var moments: [Timestamp] = []
        while case .ask(let moment)? = query.apply(.unknown, now: Self.now, apis: [.serverAPI])
            .first
        {
            moments.append(moment)
        }
        #expect(moments == AppleQuery.unknownPauses.map { Self.now.advanced(by: $0) })
        #expect(
            query.apply(.unknown, now: Self.now, apis: [.serverAPI]) == [.fail(.unknownToApple)]
        )
        #expect(ProofFailure.unknownToApple.verdict == .parked)
    }

    @Test(arguments: [AppleQuery.Answer.unknown, .contradicted])
    func `goes on to verifyReceipt where the API is at its end`(_ answer: AppleQuery.Answer) {
        var query = AppleQuery(to: .serverAPI, attempts: AppleQuery.unknownPauses.count)
        #expect(query.apply(answer, now: Self.now, apis: Self.both) == [.ask(at: Self.now)])
        #expect(query == AppleQuery(to: .verifyReceipt))
        #expect(query.apply(Self.found, now: Self.now, apis: Self.both).count == 1)
    }

    @Test func `counts what Apple refused, for Apple refuses for good only what it refused before`() {
        var query = AppleQuery(to: .verifyReceipt)
        _ = query.apply(.doubted(again: Self.later), now: Self.now, apis: [.verifyReceipt])
        _ = query.apply(.unavailable(until: Self.later), now: Self.now, apis: [.verifyReceipt])
        _ = query.apply(.doubted(again: Self.later), now: Self.now, apis: [.verifyReceipt])
        #expect(query == AppleQuery(to: .verifyReceipt, attempts: 2, refusals: 2))
    }

    @Test func `that is being asked lets nobody finish, and no failure is both asked about and final`() {
        #expect(!ProofFailure.askingApple.verdict.finish)
        #expect(SubmissionAssessment(.askingApple).state == .asking)
        for failure in ProofFailure.allCases where failure.isForApple {
            #expect(!failure.verdict.finish, "\(failure)")
        }
    }
}
