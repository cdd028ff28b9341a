import Contracts
import ReceiptsCore
import Testing

@Suite struct `a question to Apple` {
    private static let now = Sample.start
    private static let later = Sample.start.advanced(by: 9_000)
    private static let both: [Authority] = [.serverAPI, .verifyReceipt]

    private static let found = Question.Answer.found([Sample.transaction()], unreadable: 1)

    /// Every answer, asked of each authority alone: what follows.
    private static let table: [(Authority, Question.Answer, [Question.Directive])] = Authority.allCases
        .flatMap {
            authority -> [(Authority, Question.Answer, [Question.Directive])] in
            [
                (authority, found, [.settle([Sample.transaction()], unreadable: 1)]),
                (authority, .contradicted, [.fail(.contradicted)]),
                (authority, .unknown, [.ask(at: now.advanced(by: 5_000))]),
                (authority, .tooLarge, [.fail(.unverified)]),
                (authority, .refused(.neverPurchased), [.fail(.neverPurchased)]),
                (authority, .doubted(again: later), [.ask(at: now.advanced(by: 10_000))]),
                (authority, .unavailable(until: later), [.ask(at: later)]),
                (authority, .unauthorized(until: later), [.callOperator, .ask(at: later)]),
            ]
        }

    @Test(arguments: table)
    func `has one meaning for each answer`(
        _ authority: Authority,
        _ answer: Question.Answer,
        _ directives: [Question.Directive]
    ) {
        var question = Question(to: authority)
        #expect(question.apply(answer, now: Self.now, authorities: [authority]) == directives)
        #expect(question.authority == authority)
    }

    @Test(arguments: [Question.Answer.unavailable(until: later), .unauthorized(until: later)])
    func `is never given up while Apple says nothing, and nothing is counted`(_ answer: Question.Answer) {
        var question = Question(to: .serverAPI, attempts: 2, refusals: 1)
        let before = question
        for _ in 0..<1_000 {
            let directives = question.apply(answer, now: Self.now, authorities: Self.both)
            #expect(directives.last == .ask(at: Self.later))
            #expect(question == before)
        }
    }

    @Test
    func `about a transaction that Apple does not know is asked five times within hours, then an operator's`()
    {
        var question = Question(to: .serverAPI)
        var moments: [Timestamp] = []
        while case .ask(let moment)? = question.apply(.unknown, now: Self.now, authorities: [.serverAPI])
            .first
        {
            moments.append(moment)
        }
        #expect(moments == Question.unknownPauses.map { Self.now.advanced(by: $0) })
        #expect(
            question.apply(.unknown, now: Self.now, authorities: [.serverAPI]) == [.fail(.unknownToApple)]
        )
        #expect(ProofFailure.unknownToApple.verdict == .parked)
    }

    @Test(arguments: [Question.Answer.unknown, .contradicted])
    func `goes on to verifyReceipt where the API is at its end`(_ answer: Question.Answer) {
        var question = Question(to: .serverAPI, attempts: Question.unknownPauses.count)
        #expect(question.apply(answer, now: Self.now, authorities: Self.both) == [.ask(at: Self.now)])
        #expect(question == Question(to: .verifyReceipt))
        #expect(question.apply(Self.found, now: Self.now, authorities: Self.both).count == 1)
    }

    @Test func `counts what Apple refused, for Apple refuses for good only what it refused before`() {
        var question = Question(to: .verifyReceipt)
        _ = question.apply(.doubted(again: Self.later), now: Self.now, authorities: [.verifyReceipt])
        _ = question.apply(.unavailable(until: Self.later), now: Self.now, authorities: [.verifyReceipt])
        _ = question.apply(.doubted(again: Self.later), now: Self.now, authorities: [.verifyReceipt])
        #expect(question == Question(to: .verifyReceipt, attempts: 2, refusals: 2))
    }

    @Test func `that is being asked lets nobody finish, and no failure is both asked about and final`() {
        #expect(!ProofFailure.askingApple.verdict.finish)
        #expect(SubmissionReading(.askingApple).state == .asking)
        for failure in ProofFailure.allCases where failure.isForApple {
            #expect(!failure.verdict.finish, "\(failure)")
        }
    }
}
