import Contracts
import Domain

/// Who holds a subscription's chain of periods when another period of it comes.
///
/// A renewal is paid without anybody doing anything, often without a phone, so the holder comes before whatever token it
/// repeats. A purchase (a first period, or one after a lapse) is somebody's deed: its token and its order come first,
/// and later renewals are its buyer's. Old proofs do not say which of the two it is: the holder comes after the order.
struct ChainHolder: Equatable, Sendable {
    /// Another period of the chain.
    struct Period: Equatable, Sendable {
        let purchasedAt: Timestamp
        /// Nil while nobody holds it.
        let buyer: BuyerID?
        /// Whether Orders is being asked whose it is.
        var isProposed = false
    }

    /// Nil while Orders is asked whose the period before a renewal is: the renewal waits, and will be the same buyer's.
    let buyer: BuyerID?
    /// Whether the transaction is a renewal.
    let comesFirst: Bool

    /// The holder at the time of `signed`: of the last period before it, else of the first one after it.
    ///
    /// Nil if it is no period of a subscription, the first one that comes, or one behind an orphan.
    init?(of signed: SignedTransaction, among periods: [Period]) {
        guard signed.isPeriod else { return nil }
        let now = Timestamp(milliseconds: signed.purchaseDate)
        let before = periods.filter { $0.purchasedAt <= now }.max { $0.purchasedAt < $1.purchasedAt }
        let after = periods.filter { $0.purchasedAt > now && $0.buyer != nil }
            .min { $0.purchasedAt < $1.purchasedAt }
        guard let period = before ?? after else { return nil }
        comesFirst = signed.transactionReason == "RENEWAL"
        buyer = period.buyer
        guard buyer != nil || comesFirst && period.isProposed else { return nil }
    }

    init(_ buyer: BuyerID?, comesFirst: Bool) {
        self.buyer = buyer
        self.comesFirst = comesFirst
    }
}
