import Contracts
import Testing

@testable import Receipts

/// The table of `Claim.followUps`.
@Suite struct `after an event, a claim` {
    struct Step: Sendable, CustomStringConvertible {
        let description: String
        let from: Claim
        let to: Claim
        var event = Claim.Event.reported(Sample.facts())
        let follows: [Claim.FollowUp]
    }

    private static let moved = Claim.Holder(
        buyer: Sample.bob,
        order: Sample.order,
        transferred: Transferred(count: 1, payerId: Sample.alice)
    )
    private static let asking = Challenge.asking(.token(Sample.token), attempt: 1)
    private static let whole = ClaimFacts(signedDate: Sample.start, isWhole: true)
    private static let moves: [Claim.FollowUp] = [
        .noteTransfer(from: Sample.holder), .restateSubmissions, .announceHolder,
    ]

    private static func claim(
        _ state: Claim.State,
        facts: ClaimFacts = Sample.facts(),
        _ evidence: AppleEvidence = .notAsked,
        challenge: Challenge? = nil,
        parked: [BuyerID] = []
    ) -> Claim {
        Claim(state: state, facts: facts, evidence: evidence, challenge: challenge, claimants: parked)
    }

    static let steps: [Step] = [
        Step(
            description: "comes to be held",
            from: claim(.orphan),
            to: claim(.held(Sample.holder)),
            event: .held(1),
            follows: [.followTransfer(onlyRenewal: true), .announceHolder, .weighFollower, .answerOthers]
        ),
        Step(
            description: "moves",
            from: claim(.held(Sample.holder)),
            to: claim(.held(moved)),
            follows: moves
        ),
        Step(
            description: "moves, which it was asked for",
            from: claim(.held(Sample.holder), challenge: asking),
            to: claim(.held(moved)),
            follows: moves + [.answerOthers]
        ),
        Step(
            description: "stays with its holder, who was asked for it",
            from: claim(.held(Sample.holder), challenge: asking),
            to: claim(.held(Sample.holder)),
            follows: [.followTransfer(onlyRenewal: false), .answerOthers]
        ),
        Step(
            description: "stays with its holder by Apple's word",
            from: claim(.held(Sample.holder), .overdue(askingAt: nil)),
            to: claim(.held(Sample.holder), facts: whole, .overdue(askingAt: nil)),
            follows: [.weighFollower, .planRenewalCheck, .answerOthers]
        ),
        Step(
            description: "is challenged by Apple's word",
            from: claim(.held(Sample.holder), .overdue(askingAt: nil)),
            to: claim(.held(Sample.holder), facts: whole, .overdue(askingAt: nil), challenge: asking),
            follows: [.weighFollower, .planRenewalCheck]
        ),
        Step(
            description: "has one more buyer parked",
            from: claim(.held(Sample.holder), parked: [Sample.bob]),
            to: claim(.held(Sample.holder), parked: [Sample.bob, Sample.carol]),
            follows: [.alarm([Sample.carol])]
        ),
        Step(
            description: "is no longer refunded, with a buyer parked",
            from: claim(.held(Sample.holder), facts: Sample.facts(revoked: true), parked: [Sample.bob]),
            to: claim(.held(Sample.holder), facts: Sample.facts(1), parked: [Sample.bob]),
            follows: [.alarm([Sample.bob]), .planRenewalCheck]
        ),
        Step(
            description: "hears Apple's word",
            from: claim(.proposed(.caller(Sample.alice))),
            to: claim(.proposed(.caller(Sample.alice)), facts: whole),
            follows: [.weighFollower, .planRenewalCheck]
        ),
        Step(
            description: "begins to wait",
            from: Claim(),
            to: claim(.waiting, .awaited(until: Sample.start)),
            follows: [.planRenewalCheck, .scheduleWork(at: Sample.start)]
        ),
        Step(
            description: "waits for no time",
            from: claim(.waiting, .awaited(until: Sample.start)),
            to: claim(.waiting, .overdue(askingAt: nil)),
            follows: []
        ),
        Step(
            description: "is proposed once Apple has answered",
            from: claim(.waiting, .awaited(until: Sample.start)),
            to: claim(.proposed(.caller(Sample.alice)), .complete),
            follows: [.stopAskingApple]
        ),
        Step(
            description: "is proposed while Apple is silent",
            from: claim(.waiting, .pressed(until: Sample.start)),
            to: claim(.proposed(.order(Sample.order)), .overdue(askingAt: nil)),
            follows: []
        ),
        Step(
            description: "finds no candidate once Apple has answered",
            from: claim(.waiting, .awaited(until: Sample.start)),
            to: claim(.orphan, .complete),
            follows: [.stopAskingApple, .answerOthers]
        ),
        Step(
            description: "stays as it is",
            from: claim(.held(Sample.holder), parked: [Sample.bob]),
            to: claim(.held(Sample.holder), parked: [Sample.bob]),
            follows: []
        ),
    ]

    @Test(arguments: steps)
    func `has what its table says follow`(step: Step) {
        #expect(step.to.followUps(of: step.event, from: step.from) == step.follows)
    }

    @Test func `has nothing follow where nothing has changed, unless the event decides whose it is`() {
        for claim in `a claim`.states {
            for event in `a claim`.events {
                var due: [Claim.FollowUp] = []
                if claim.state == .waiting, let time = claim.evidence.dueAt {
                    due = [.scheduleWork(at: time)]
                }
                let decided: [Claim.FollowUp] = event.decidesHolder ? [.answerOthers] : []
                #expect(claim.followUps(of: event, from: claim) == due + decided)
            }
        }
    }
}
