import Contracts
import Domain

/// Who holds a subscription's chain of periods when another period of it comes.
///
/// A renewal is paid without anybody doing anything, often without a phone, and repeats the token of an earlier period.
/// So its holder comes before its token. A *deed* is somebody's act. A purchase is one: a first period, or one after a
/// lapse. So is a renewal that states a token which the period before it is known not to state, as when another buyer
/// changes the plan in the app. The token of a deed comes first, and later renewals belong to its buyer.
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

    /// The holder of the chain; nil while Orders or Apple is being asked whose the period before this one is.
    ///
    /// Only a renewal, or seats that are added, can have nil here: they wait for that answer.
    let buyer: BuyerID?
    let rank: Rank

    /// Whether it follows from another period: then it waits for that one.
    var isRenewal: Bool { rank != .afterOrder }

    /// Whoever holds the last known period before `signed`; if none is known, the first held one after it.
    ///
    /// Nil when the chain does not say whose `signed` is:
    ///
    /// - `signed` is no period of a subscription;
    /// - no other period of its chain is known;
    /// - nobody holds the period before it, and nobody is asked whose that one is;
    /// - nobody holds the period before it, and `signed` is a purchase, which waits for no other period.
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
