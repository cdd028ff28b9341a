import Contracts
import Testing

@testable import Receipts

/// The table of `Claim.followUps`.
@Suite struct `after an event, a claim` {
    private static let held = Claim.State.held(Sample.holder)
    private static let moved = Claim.State.held(Sample.moved(to: Sample.bob))
    private static let statement = Claim.Event.statedByApple(Sample.facts())
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
        parked: [BuyerID] = [],
        isAwaited: Bool = false
    ) -> Claim {
        var claim = Claim(
            state: state,
            facts: facts,
            evidence: evidence,
            challenge: challenge,
            claimants: parked
        )
        claim.hasWaiters = isAwaited
        return claim
    }

    /// What happens by an event, the claim before and after it, and what follows.
    static let steps: [(String, Claim.Event, Claim, Claim, [Claim.FollowUp])] = [
        (
            "comes to be held", .held(1), claim(.orphan), claim(held),
            [.followTransfer(onlyRenewal: true), .announceHolder, .weighFollower, .answerOthers]
        ),
        ("moves", statement, claim(held), claim(moved), moves),
        (
            "moves, which it was asked for", statement, claim(held, challenge: asking), claim(moved),
            moves + [.answerOthers]
        ),
        (
            "stays with its holder, who was asked for it", statement, claim(held, challenge: asking),
            claim(held), [.followTransfer(onlyRenewal: false), .answerOthers]
        ),
        (
            "stays with its holder by Apple's word", statement, claim(held, .overdue(askingAt: nil)),
            claim(held, facts: whole, .overdue(askingAt: nil)),
            [.weighFollower, .planRenewalCheck, .answerOthers]
        ),
        (
            "stays with its holder by Apple's word, for which others wait", statement,
            claim(held, .overdue(askingAt: nil), isAwaited: true),
            claim(held, facts: whole, .overdue(askingAt: nil), isAwaited: true),
            [.weighFollower, .planRenewalCheck, .answerOthers, .judgeWaiting]
        ),
        (
            "is challenged by Apple's word", statement, claim(held, .overdue(askingAt: nil)),
            claim(held, facts: whole, .overdue(askingAt: nil), challenge: asking),
            [.weighFollower, .planRenewalCheck]
        ),
        (
            "has one more buyer parked", statement, claim(held, parked: [Sample.bob]),
            claim(held, parked: [Sample.bob, Sample.carol]), [.alarm([Sample.carol])]
        ),
        (
            "is no longer refunded, with a buyer parked", statement,
            claim(held, facts: Sample.facts(revoked: true), parked: [Sample.bob]),
            claim(held, facts: Sample.facts(1), parked: [Sample.bob]),
            [.alarm([Sample.bob]), .planRenewalCheck]
        ),
        (
            "hears Apple's word", statement, claim(.proposed(.caller(Sample.alice))),
            claim(.proposed(.caller(Sample.alice)), facts: whole), [.weighFollower, .planRenewalCheck]
        ),
        (
            "begins to wait", statement, Claim(), claim(.waiting, .awaited(until: Sample.start)),
            [.planRenewalCheck, .scheduleWork(at: Sample.start)]
        ),
        (
            "waits for no time", statement, claim(.waiting, .awaited(until: Sample.start)),
            claim(.waiting, .overdue(askingAt: nil)), []
        ),
        (
            "is proposed once Apple has answered", statement, claim(.waiting, .awaited(until: Sample.start)),
            claim(.proposed(.caller(Sample.alice)), .complete), [.stopAskingApple]
        ),
        (
            "is proposed while Apple is silent", statement, claim(.waiting, .pressed(until: Sample.start)),
            claim(.proposed(.order(Sample.order)), .overdue(askingAt: nil)), []
        ),
        (
            "finds no candidate once Apple has answered", statement,
            claim(.waiting, .awaited(until: Sample.start)), claim(.orphan, .complete),
            [.stopAskingApple, .answerOthers]
        ),
        (
            "stays as it is", statement, claim(held, parked: [Sample.bob]),
            claim(held, parked: [Sample.bob]), []
        ),
    ]

    @Test(arguments: steps)
    func `has what its table says follow`(
        what: String,
        event: Claim.Event,
        from: Claim,
        to: Claim,
        follows: [Claim.FollowUp]
    ) {
        #expect(to.followUps(of: event, from: from) == follows, "\(what)")
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
