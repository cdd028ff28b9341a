import Contracts
import Domain
import Testing

@testable import Receipts

/// The table of `ProposedReassignment`, every state with every event.
@Suite struct `A proposed move` {
    private static let lin = OperatorID(unchecked: "o000000000001")
    private static let mei = OperatorID(unchecked: "o000000000002")
    private static let start = Timestamp(milliseconds: 1_760_000_000_000)

    enum Origin: CaseIterable {
        case atRest, changed, moving, late, confirmed, ended
    }

    enum Step: CaseIterable {
        case ownConfirm, confirm, withdraw
    }

    enum Effect {
        case nothing, moves, ends
    }

    enum Result: Equatable {
        case done(Effect, ProposedReassignment.State)
        case refused(String)
    }

    private static func proposal(_ origin: Origin) -> ProposedReassignment {
        var content = ReassignmentProposalV1(
            proposalId: ProposalID(.move, shard: Shard(rawValue: 7), digest: Array(0..<14)),
            bundleId: Sample.app,
            environment: .production,
            purchaseId: PurchaseID(unchecked: "5"),
            productId: ProductID(unchecked: "coins.100"),
            quantity: 1,
            holderId: Sample.alice,
            buyerId: Sample.bob,
            reason: "ticket 4711",
            proposedBy: lin,
            proposedAt: start
        )
        if origin == .confirmed { (content.confirmedBy, content.confirmedAt) = (mei, start) }
        if origin == .ended { content.endedAt = start }
        return ProposedReassignment(content)
    }

    private static func look(_ origin: Origin) -> ReassignmentV1 {
        ReassignmentV1(
            bundleId: Sample.app,
            purchaseId: PurchaseID(unchecked: "5"),
            productId: ProductID(unchecked: "castle"),
            holderId: origin == .changed ? Sample.bob : Sample.alice,
            orderId: nil,
            heldBy: nil,
            appAccountToken: nil,
            parked: [],
            buyerId: Sample.bob,
            effect: origin == .moving ? .underWay : origin == .changed ? .nothing : .moves
        )
    }

    private static func apply(
        _ step: Step,
        to proposal: inout ProposedReassignment,
        _ origin: Origin
    ) -> Result {
        let now = start.advanced(by: Approval.validMilliseconds + (origin == .late ? 1 : 0))
        do throws(RequestRefusal) {
            let effect =
                switch step {
                case .ownConfirm: try confirm(&proposal, by: lin, look(origin), at: now)
                case .confirm: try confirm(&proposal, by: mei, look(origin), at: now)
                case .withdraw: try proposal.withdraw(at: now) ? Effect.ends : .nothing
                }
            return .done(effect, proposal.state)
        } catch {
            return .refused(error.reason ?? "")
        }
    }

    private static func confirm(
        _ proposal: inout ProposedReassignment,
        by confirmer: OperatorID,
        _ look: ReassignmentV1,
        at now: Timestamp
    ) throws(RequestRefusal) -> Effect {
        switch try proposal.confirmation(by: confirmer, at: now) {
        case .again: return .nothing
        case .open(let open):
            switch try open.confirmed(look) {
            case .moves(let confirmed):
                proposal = confirmed
                return .moves
            case .ends(let ended):
                proposal = ended
                return .ends
            }
        }
    }

    private static let table: [Origin: [Step: Result]] = [
        .atRest: [
            .ownConfirm: .refused("ownProposal"), .confirm: .done(.moves, .confirmed),
            .withdraw: .done(.ends, .ended),
        ],
        .changed: [
            .ownConfirm: .refused("ownProposal"), .confirm: .done(.ends, .ended),
            .withdraw: .done(.ends, .ended),
        ],
        .moving: [
            .ownConfirm: .refused("ownProposal"), .confirm: .refused("undecided"),
            .withdraw: .done(.ends, .ended),
        ],
        .late: [
            .ownConfirm: .refused("void"), .confirm: .refused("void"), .withdraw: .done(.ends, .ended),
        ],
        .confirmed: [
            .ownConfirm: .refused("ownProposal"), .confirm: .done(.nothing, .confirmed),
            .withdraw: .refused("confirmed"),
        ],
        .ended: [
            .ownConfirm: .refused("void"), .confirm: .refused("void"), .withdraw: .done(.nothing, .ended),
        ],
    ]

    @Test(arguments: Origin.allCases, Step.allCases)
    func `goes where its table says, and a refusal leaves no trace`(origin: Origin, step: Step) {
        var proposal = Self.proposal(origin)
        let before = proposal
        let result = Self.apply(step, to: &proposal, origin)
        #expect(result == Self.table[origin]?[step])
        switch result {
        case .refused, .done(.nothing, _): #expect(proposal == before)
        case .done: #expect(proposal != before)
        }
    }

    @Test(arguments: Origin.allCases, Step.allCases)
    func `changes nothing more when an event comes twice`(origin: Origin, step: Step) {
        var proposal = Self.proposal(origin)
        _ = Self.apply(step, to: &proposal, origin)
        let before = proposal
        _ = Self.apply(step, to: &proposal, origin)
        #expect(proposal == before)
    }
}
