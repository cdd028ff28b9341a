import Contracts
import Domain

extension PurchaseReportedV1 {
    /// The order that the proof names.
    ///
    /// Another payment may have taken that order before: it is still the one that the token names.
    var orderOfProof: OrderID? { namesOrder ? transaction.tokenOrder ?? order.orderId : nil }

    /// Whether the proof names an order, by its signed token or beside itself.
    ///
    /// Every other one pays an order because the buyer had it open, or one that was made for it.
    var namesOrder: Bool {
        if transaction.tokenOrder != nil { return true }
        switch evidence {
        case .token, .order: return true
        case .registered, .holder, .caller, .reassigned, .known, nil: return false
        }
    }
}
