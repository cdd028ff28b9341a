import Contracts

extension AppleOrderWantedV1 {
    /// What a compensation wants to know of its order; nil where that is known, or nobody can say it.
    ///
    /// Apple looks up no order of the sandbox.
    init?(_ compensation: Compensation) {
        let content = compensation.content
        guard let order = content.basis.appleOrderId, content.environment == .production,
            content.basis.transactionIds?.isEmpty ?? true
        else { return nil }
        self.init(proposalId: content.proposalId, bundleId: content.bundleId, appleOrderId: order)
    }
}
