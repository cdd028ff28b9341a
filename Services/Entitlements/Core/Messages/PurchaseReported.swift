import Contracts

extension PurchaseReportedV1 {
    /// Whether the proof names the order that it pays, by its signed token or by the submission that carried it.
    ///
    /// Every other one pays an order because the buyer had it open, or one that was made for it.
    var namesOrder: Bool {
        if let token = transaction.appAccountToken, OrderID(rawValue: token) == order.orderId { return true }
        switch evidence {
        case .token, .order: return true
        case .registered, .holder, .caller, .reassigned, .known, nil: return false
        }
    }
}
