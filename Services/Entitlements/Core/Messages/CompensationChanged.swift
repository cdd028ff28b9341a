import Contracts

extension CompensationChangedV1 {
    /// What has become of a compensation; nil of one that was never confirmed, which has given nothing.
    init?(_ compensation: Compensation) {
        guard compensation.content.confirmedAt != nil else { return nil }
        self.init(compensation: compensation.content)
    }
}
