import Contracts
import Domain

extension Order {
    /// Whether the order was not there yet when the purchase was made, so that nobody placed it for that.
    ///
    /// A time of issue that lies ahead was written by a clock that was wrong, and says nothing.
    func isIssued(after transaction: TransactionFacts, at now: Timestamp) -> Bool {
        issuedAt <= now && issuedAt > transaction.madeAt.advanced(by: Limits.clockToleranceMilliseconds)
    }
}
