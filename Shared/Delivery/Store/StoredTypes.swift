package import Contracts
package import Database

extension TextIdentifier {
    package var storedValue: Value { .text(rawValue) }
    package init(storedValue: Value) throws(ConversionFailure) {
        guard case .text(let text) = storedValue else { throw ConversionFailure() }
        self.init(unchecked: text)
    }
}

extension AppleOrderID: ValueConvertible {}
extension BundleID: ValueConvertible {}
extension BuyerID: ValueConvertible {}
extension EventID: ValueConvertible {}
extension OperatorID: ValueConvertible {}
extension OrderID: ValueConvertible {}
extension ProductID: ValueConvertible {}
extension ProposalID: ValueConvertible {}
extension PurchaseID: ValueConvertible {}
extension ReceiptID: ValueConvertible {}
extension TransactionID: ValueConvertible {}

extension Act.Kind: ValueConvertible {}
extension Environment: ValueConvertible {}
extension EventType: ValueConvertible {}
extension HolderEvidence: ValueConvertible {}
extension LedgerAccount: ValueConvertible {}
extension LedgerEntry.Kind: ValueConvertible {}
extension OrderCloseReason: ValueConvertible {}
extension Verdict: ValueConvertible {}
extension ServiceName: ValueConvertible {}

extension Subject: ValueConvertible {}

extension LinkSender.Quarantine: ValueConvertible {}

extension Timestamp: ValueConvertible {
    package var storedValue: Value { .integer(milliseconds) }
    package init(storedValue: Value) throws(ConversionFailure) {
        guard case .integer(let milliseconds) = storedValue else { throw ConversionFailure() }
        self.init(milliseconds: milliseconds)
    }
}

extension PartitionAddress: ValueConvertible {
    package var storedValue: Value { .text(description) }
    package init(storedValue: Value) throws(ConversionFailure) {
        guard case .text(let text) = storedValue, let address = Self(text) else { throw ConversionFailure() }
        self = address
    }
}
