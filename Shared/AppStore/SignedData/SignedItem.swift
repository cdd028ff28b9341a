/// A notification's signed item, by Apple's name.
package enum SignedItem: String, CaseIterable, Sendable {
    case signedTransactionInfo
    case signedRenewalInfo
    case signedAppTransactionInfo

    /// The kind that the item has to be.
    package var kind: SignedDataKind {
        switch self {
        case .signedTransactionInfo: .transaction
        case .signedRenewalInfo: .renewalInfo
        case .signedAppTransactionInfo: .appTransaction
        }
    }

    /// Runs a check of this item, so that a failure names it.
    package func checking<Value>(
        _ body: () throws(VerificationFailure) -> Value
    ) throws(VerificationFailure) -> Value {
        do throws(VerificationFailure) {
            return try body()
        } catch {
            throw VerificationFailure(error.reason, "\(rawValue): \(error.detail)", item: self)
        }
    }
}
