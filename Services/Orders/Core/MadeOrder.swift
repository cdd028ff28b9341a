import Contracts

/// For whom a partition made its last order, and when.
///
/// The id of an order carries the time in milliseconds. So the next order may have the same time in its id, and it is
/// counted how often two buyers' orders have (`CountedRule.sameMillisecond`).
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
