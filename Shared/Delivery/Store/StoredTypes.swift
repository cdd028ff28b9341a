package import Contracts
package import Database

extension TextIdentifier {
    package var storedValue: Value { .text(rawValue) }
    package init?(storedValue: Value) {
        guard case .text(let text) = storedValue else { return nil }
        self.init(unchecked: text)
    }
}

extension BundleID: ValueConvertible {}
extension BuyerID: ValueConvertible {}
extension EventID: ValueConvertible {}
extension OrderID: ValueConvertible {}
extension ProductID: ValueConvertible {}
extension PurchaseID: ValueConvertible {}
extension ReceiptID: ValueConvertible {}
extension TransactionID: ValueConvertible {}

extension Environment: ValueConvertible {}
extension EventType: ValueConvertible {}
extension LedgerAccount: ValueConvertible {}
extension LedgerEntry.Kind: ValueConvertible {}
extension OrderCloseReason: ValueConvertible {}
extension Verdict: ValueConvertible {}
extension ServiceName: ValueConvertible {}

extension Subject: ValueConvertible {}

extension LinkSender.Quarantine: ValueConvertible {}

extension Timestamp: ValueConvertible {
    package var storedValue: Value { .integer(milliseconds) }
    package init?(storedValue: Value) {
        guard case .integer(let milliseconds) = storedValue else { return nil }
        self.init(milliseconds: milliseconds)
    }
}

extension PartitionAddress: ValueConvertible {
    package var storedValue: Value { .text(description) }
    package init?(storedValue: Value) {
        guard case .text(let text) = storedValue else { return nil }
        self.init(text)
    }
}
