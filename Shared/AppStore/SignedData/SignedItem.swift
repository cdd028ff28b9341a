/// A signed item that a notification carries, under the name that it has there.
package enum SignedItem: String, CaseIterable, Sendable {
    case signedTransactionInfo
    case signedRenewalInfo
    case signedAppTransactionInfo

    /// What the item has to be.
    package var kind: SignedDataKind {
        switch self {
        case .signedTransactionInfo: .transaction
        case .signedRenewalInfo: .renewalInfo
        case .signedAppTransactionInfo: .appTransaction
        }
    }
}
