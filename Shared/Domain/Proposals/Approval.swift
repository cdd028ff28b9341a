package import Contracts

/// Whether a second operator may confirm what one has proposed.
///
/// | the confirmer is \ the proposal is | up to 7 days old       | older         |
/// |------------------------------------|------------------------|---------------|
/// | the proposer                       | refused: `ownProposal` | refused: `void` |
/// | another operator                   | confirmed              | refused: `void` |
package enum Approval {
    /// How long a proposal can be confirmed, ms: 7 days.
    package static let validMilliseconds: Int64 = 7 * 24 * 60 * 60 * 1_000

    /// Whether nobody can confirm it any more.
    package static func isVoid(proposedAt: Timestamp, at now: Timestamp) -> Bool {
        now.milliseconds - proposedAt.milliseconds > validMilliseconds
    }

    /// - Throws: `RequestRefusal` as the table says.
    package static func check(
        by confirmer: OperatorID,
        proposedBy proposer: OperatorID,
        proposedAt: Timestamp,
        at now: Timestamp
    ) throws(RequestRefusal) {
        guard !isVoid(proposedAt: proposedAt, at: now) else { throw .expiredProposal }
        guard confirmer != proposer else { throw .ownProposal }
    }

    /// Whether an operator may take a proposal back.
    ///
    /// | the operator \ the proposal | waits for another one, or has ended | is confirmed          |
    /// |------------------------------|-------------------------------------|-----------------------|
    /// | may approve                  | may                                 | may                   |
    /// | else, the proposer           | may                                 | refused: `roleNeeded` |
    /// | else, another operator       | refused: `roleNeeded`               | refused: `roleNeeded` |
    ///
    /// - Throws: `RequestRefusal` as the table says.
    package static func checkWithdrawal(
        by acting: OperatorID,
        mayApprove: Bool,
        proposedBy proposer: OperatorID,
        isConfirmed: Bool
    ) throws(RequestRefusal) {
        guard mayApprove || (acting == proposer && !isConfirmed) else { throw .othersProposal }
    }
}

extension RequestRefusal {
    /// Nobody has confirmed it in time.
    package static let expiredProposal = RequestRefusal(
        .conflict,
        "The proposal is void: nobody has confirmed it within 7 days.",
        field: "proposalId",
        reason: "void"
    )
    /// It has ended before anybody confirmed it; `counterfoil acts` says by whom.
    package static let voidProposal = RequestRefusal(
        .conflict,
        "The proposal is void: it was withdrawn, or what it is about has changed.",
        field: "proposalId",
        reason: "void"
    )
    /// It takes two persons.
    package static let ownProposal = RequestRefusal(
        .conflict,
        "Who proposes it does not confirm it: ask another operator.",
        field: "proposalId",
        reason: "ownProposal"
    )
    /// Who may only propose takes back what is their own and not confirmed.
    package static let othersProposal = RequestRefusal(
        .conflict,
        "Only its proposer, until it is confirmed, or whoever may approve takes it back.",
        field: "proposalId",
        reason: "roleNeeded"
    )
    package static let noSuchProposal = RequestRefusal(
        .notFound,
        "There is no such proposal.",
        field: "proposalId"
    )
    package static let changedProposal = RequestRefusal(
        .conflict,
        "The Idempotency-Key was used for a proposal with other content.",
        field: "Idempotency-Key",
        reason: "keyReused"
    )
}
