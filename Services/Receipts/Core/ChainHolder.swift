import Contracts
import Domain

/// Who holds a subscription's chain of periods when another period of it comes.
///
/// A renewal is paid without anybody doing anything, often without a phone, so the holder comes before whatever token it
/// repeats. A purchase (a first period, or one after a lapse) is somebody's deed: its token and its order come first,
/// and later renewals are its buyer's.
struct ChainHolder: Equatable, Sendable {
    /// A period of the chain whose claim is held.
    struct Period: Equatable, Sendable {
        let purchasedAt: Timestamp
        let buyer: BuyerID
    }

    let buyer: BuyerID
    /// Whether the transaction is a renewal.
    let comesFirst: Bool

    /// The holder at the time of `signed`: of the last period before it, else of the first one after it.
    ///
    /// Nil if it is no period of a subscription, or no other one is held.
    init?(of signed: SignedTransaction, among periods: [Period]) {
        guard Self.hasChain(signed) else { return nil }
        let now = Timestamp(milliseconds: signed.purchaseDate)
        let before = periods.filter { $0.purchasedAt <= now }.max { $0.purchasedAt < $1.purchasedAt }
        let after = periods.filter { $0.purchasedAt > now }.min { $0.purchasedAt < $1.purchasedAt }
        guard let period = before ?? after else { return nil }
        buyer = period.buyer
        comesFirst = Self.isRenewal(signed)
    }

    init(_ buyer: BuyerID, comesFirst: Bool) {
        self.buyer = buyer
        self.comesFirst = comesFirst
    }

    static func hasChain(_ signed: SignedTransaction) -> Bool {
        signed.type == ProductType.autoRenewable || signed.type.isEmpty && signed.expiresDate != nil
    }

    /// As Apple signs it; older proofs do not say, but have another id than the chain.
    private static func isRenewal(_ signed: SignedTransaction) -> Bool {
        switch signed.transactionReason {
        case "RENEWAL"?: true
        case nil, ""?: signed.transactionId != signed.originalTransactionId
        case _?: false
        }
    }
}
