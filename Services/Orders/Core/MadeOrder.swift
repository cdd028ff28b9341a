import Contracts

/// Whose order was made when: ids of orders carry the time, in ms.
struct MadeOrder: Equatable, Sendable {
    private let time: Timestamp
    private let bundle: BundleID
    private let buyer: BuyerID

    init(at time: Timestamp, bundle: BundleID, buyer: BuyerID) {
        self.time = time
        self.bundle = bundle
        self.buyer = buyer
    }

    /// Whether another buyer's order was made in the same millisecond.
    func shares(millisecondOf other: MadeOrder?) -> Bool {
        guard let other, other.time == time else { return false }
        return other.buyer != buyer || other.bundle != bundle
    }
}
