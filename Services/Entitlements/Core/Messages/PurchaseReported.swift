import Contracts
import Domain

extension PurchaseReportedV1 {
    /// Whether the proof names an order, by its signed token or beside itself; nil where Orders has lost that.
    ///
    /// Every other one pays an order because the buyer had it open, or one that was made for it.
    var namesOrder: Bool? {
        if transaction.tokenOrder != nil { return true }
        switch evidence {
        case .token, .order: return true
        case .registered, .holder, .caller, .reassigned: return false
        case .known, nil: return nil
        }
    }
}
