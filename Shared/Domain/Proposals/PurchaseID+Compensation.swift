package import Contracts

extension PurchaseID {
    /// The prefix of what stands for a compensation in the ledger; no id of Apple's begins like this.
    package static let compensationPrefix = "compensation."

    /// What stands for the purchase of a compensation.
    package static func compensation(_ proposal: ProposalID) -> PurchaseID {
        PurchaseID(unchecked: compensationPrefix + proposal.rawValue)
    }

    /// The compensation for which it stands; nil of what Apple knows.
    package var proposalID: ProposalID? {
        guard isCompensation else { return nil }
        return ProposalID(rawValue: String(rawValue.dropFirst(Self.compensationPrefix.count)))
    }

    /// Whether it stands for a compensation, and Apple knows nothing of it.
    package var isCompensation: Bool { rawValue.hasPrefix(Self.compensationPrefix) }
}
