import Contracts
import Domain

/// A purchase's move to another buyer, which one operator has proposed and another one confirms.
///
/// Tested by: `ProposedReassignmentTests`, `ReassignmentTests`.
///
/// | from \ event | confirm by the proposer | by another | withdraw |
/// |---|---|---|---|
/// | proposed, and the purchase rests with the same holder | refused: `ownProposal` | `confirmed`: moves | `ended` |
/// | proposed, and its holder has changed | refused: `ownProposal` | `ended`; refused: `void` | `ended` |
/// | proposed, and it moves by another decision | refused: `ownProposal` | refused: `undecided` | `ended` |
/// | proposed, 7 days over | refused: `void` | refused: `void` | `ended` |
/// | confirmed | refused: `ownProposal` | again | refused: `confirmed` |
/// | ended | refused: `void` | refused: `void` | again |
///
/// *again*: it was done before, and nothing changes. Whoever gets a purchase back later must not meet an old decision,
/// so that a proposal ends once its holder was found changed; another decision may fail, so that one waits for its end.
struct ProposedReassignment: Hashable, Sendable {
    enum State: Hashable, Sendable {
        case proposed
        case confirmed
        /// Withdrawn, or void for another holder.
        case ended
    }

    /// What an event has changed.
    enum Effect: Hashable, Sendable {
        /// It was applied before.
        case nothing
        case moves
        case ends
    }

    private(set) var content: ReassignmentProposalV1

    init(_ content: ReassignmentProposalV1) { self.content = content }

    var state: State {
        if content.confirmedBy != nil { return .confirmed }
        return content.endedAt == nil ? .proposed : .ended
    }

    /// Whether an operator may confirm it now, by how the purchase stands; not where it was confirmed before.
    ///
    /// - Throws: `RequestRefusal` as the table says.
    func isOpen(to confirmer: OperatorID, at now: Timestamp) throws(RequestRefusal) -> Bool {
        switch state {
        case .proposed:
            try Approval.check(
                by: confirmer,
                proposedBy: content.proposedBy,
                proposedAt: content.proposedAt,
                at: now
            )
            return true
        case .confirmed:
            guard confirmer != content.proposedBy else { throw .ownProposal }
            return false
        case .ended: throw .voidProposal
        }
    }

    /// Confirms it, or ends it where its holder has changed; `look` is what the move would do now.
    ///
    /// - Throws: `RequestRefusal` as the table says; the proposal is then unchanged.
    mutating func confirm(
        by confirmer: OperatorID,
        _ look: ReassignmentV1,
        at now: Timestamp
    ) throws(RequestRefusal) -> Effect {
        guard try isOpen(to: confirmer, at: now) else { return .nothing }
        guard look.holderId == content.holderId else {
            content.endedAt = now
            return .ends
        }
        guard look.effect == .moves else { throw .undecided }
        (content.confirmedBy, content.confirmedAt) = (confirmer, now)
        return .moves
    }

    /// - Throws: `RequestRefusal` as the table says.
    mutating func withdraw(at now: Timestamp) throws(RequestRefusal) -> Effect {
        switch state {
        case .proposed:
            content.endedAt = now
            return .ends
        case .confirmed: throw .confirmedMove
        case .ended: return .nothing
        }
    }
}

extension RequestRefusal {
    static let undecided = RequestRefusal(
        .conflict,
        "it is being decided whose it is: look at its trace, and try again in a minute",
        field: "purchaseId",
        reason: "undecided"
    )
    fileprivate static let confirmedMove = RequestRefusal(
        .conflict,
        "The move is confirmed: propose the move back instead.",
        field: "proposalId",
        reason: "confirmed"
    )
}
