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

    /// What a confirmation meets.
    enum Confirmation: Hashable, Sendable {
        case open(Open)
        /// It was confirmed before.
        case again
    }

    fileprivate(set) var content: ReassignmentProposalV1

    init(_ content: ReassignmentProposalV1) { self.content = content }

    var state: State {
        if content.confirmedBy != nil { return .confirmed }
        return content.endedAt == nil ? .proposed : .ended
    }

    /// What an operator's confirmation meets; how the purchase stands is looked at only of an open one.
    ///
    /// - Throws: `RequestRefusal` as the table says.
    func confirmation(by confirmer: OperatorID, at now: Timestamp) throws(RequestRefusal) -> Confirmation {
        switch state {
        case .proposed:
            try Approval.check(
                by: confirmer,
                proposedBy: content.proposedBy,
                proposedAt: content.proposedAt,
                at: now
            )
            return .open(Open(proposal: self, confirmer: confirmer, now: now))
        case .confirmed:
            guard confirmer != content.proposedBy else { throw .ownProposal }
            return .again
        case .ended: throw .voidProposal
        }
    }

    /// Ends it; false where it had ended before.
    ///
    /// - Throws: `RequestRefusal` as the table says.
    mutating func withdraw(at now: Timestamp) throws(RequestRefusal) -> Bool {
        switch state {
        case .proposed:
            content.endedAt = now
            return true
        case .confirmed: throw .confirmedMove
        case .ended: return false
        }
    }
}

extension ProposedReassignment {
    /// A proposal that this operator may confirm now.
    struct Open: Hashable, Sendable {
        /// What has become of the proposal.
        enum Decision: Hashable, Sendable {
            case moves(ProposedReassignment)
            case ends(ProposedReassignment)
        }

        fileprivate let proposal: ProposedReassignment
        fileprivate let confirmer: OperatorID
        fileprivate let now: Timestamp

        /// Confirms it, or ends it where its holder has changed; `look` is what the move would do now.
        ///
        /// - Throws: `RequestRefusal` as the table says.
        func confirmed(_ look: ReassignmentV1) throws(RequestRefusal) -> Decision {
            var decided = proposal
            guard look.holderId == proposal.content.holderId else {
                decided.content.endedAt = now
                return .ends(decided)
            }
            guard look.effect == .moves else { throw .undecided }
            (decided.content.confirmedBy, decided.content.confirmedAt) = (confirmer, now)
            return .moves(decided)
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
