package import Contracts

extension CompensationV1 {
    /// The compensation as one operator proposes it; another one has not confirmed it.
    package init(_ proposal: CompensationProposeV1, at now: Timestamp) {
        self.init(
            proposalId: proposal.proposalId,
            state: .proposed,
            bundleId: proposal.bundleId,
            buyerId: proposal.buyerId,
            environment: proposal.environment,
            productId: proposal.productId,
            quantity: proposal.quantity,
            basis: proposal.basis,
            reason: proposal.reason,
            proposedBy: proposal.operatorId,
            proposedAt: now
        )
    }
}
