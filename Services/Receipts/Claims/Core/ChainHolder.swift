import Contracts
import Domain

/// Who holds a subscription's chain of periods when another period of it comes.
///
/// A renewal is paid without anybody doing anything, often without a phone, so the holder comes before whatever token it
/// repeats. A *deed* is somebody's act: a purchase (a first period, or one after a lapse), and a renewal that states a token
/// which the period before it is known not to state, as when another buyer changes the plan in the app. Its token comes
/// first, and later renewals are its buyer's.
///
/// | the period                                       | the candidates before the submitter        |
/// |--------------------------------------------------|--------------------------------------------|
/// | a renewal that is no deed, and added seats       | holder, token, order of the submission     |
/// | a renewal that is a deed                         | token, holder, order of the submission     |
/// | a purchase, or old proofs, which do not say      | token, order of the submission, holder     |
struct ChainHolder: Equatable, Sendable {
    /// Another period of the chain.
    struct Period: Equatable, Sendable {
        let purchasedAt: Timestamp
        /// Nil while nobody holds it.
        let buyer: BuyerID?
        /// Whether Orders, or Apple, is being asked whose it is.
        var isProposed = false
        /// Whether Apple has stated whose it is, so that a token that it does not state is absent.
        var isWhole = false
        var token: String?
        /// Its end, where it matters: of the period before added seats.
        var expires: Timestamp?
    }

    /// When the holder is asked for.
    enum Rank: Equatable, Sendable {
        case first
        case afterToken
        case afterOrder
    }

    /// Nil while Orders is asked whose the period before a renewal is: the renewal waits, and will be the same buyer's
    /// unless its own token names another one.
    let buyer: BuyerID?
    let rank: Rank

    /// Whether it follows from another period: then it waits for that one.
    var isRenewal: Bool { rank != .afterOrder }

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
        let isRenewal = signed.transactionReason == "RENEWAL"
        let isDeed = before.map { Self.isDeed(signed, after: $0) } ?? false
        // Seats are added to a period that runs, and are its holder's.
        let isPart = signed.isAddition && before?.expires.map { now < $0 } ?? false
        rank = isPart ? .first : !isRenewal ? .afterOrder : isDeed ? .afterToken : .first
        buyer = period.buyer
        guard buyer != nil || rank != .afterOrder && period.isProposed else { return nil }
    }

    /// Whether a renewal states a token that the period before it is known not to state.
    private static func isDeed(_ renewal: SignedTransaction, after period: Period) -> Bool {
        guard let token = renewal.appAccountToken.flatMap(UUIDText.init)?.text else { return false }
        return period.isWhole && period.token != token
    }

    init(_ buyer: BuyerID?, _ rank: Rank) {
        self.buyer = buyer
        self.rank = rank
    }
}
