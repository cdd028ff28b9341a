import Contracts
import Domain

/// Who holds a subscription's chain of periods when another period of it comes.
///
/// Tested by: `ChainTests`.
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
        /// Whether Orders is being asked whose it is.
        var isProposed = false
        /// Whether Apple is being asked first, as an app receipt does not say whose it is.
        var isWaiting = false
        /// Whose it will be unless Orders says otherwise, where no token or order is asked for.
        var candidate: BuyerID?
        /// Whether nobody has it, and nobody is asked for.
        var isOrphan = false
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

    /// The holder of the chain; nil while it is being asked whose the period before this one is.
    ///
    /// Then nobody is asked for in the holder's place, and what comes after the holder waits for that answer. A
    /// purchase waits for Orders alone, which answers within a moment: Apple may be silent for hours.
    let buyer: BuyerID?
    let rank: Rank

    /// Whether it follows from another period: then it waits for that one.
    var isRenewal: Bool { rank != .afterOrder }

    /// Whoever holds the last period before `signed` that somebody holds or is asked for; if there is none, the first
    /// held one after it.
    ///
    /// Nil when the chain does not say whose `signed` is:
    ///
    /// - `signed` is no period of a subscription;
    /// - no other period of its chain is known;
    /// - nobody holds one, and nobody is asked for one;
    /// - Apple is asked whose the period before it is, and `signed` is a purchase.
    init?(of signed: SignedTransaction, among periods: [Period]) {
        guard signed.isPeriod else { return nil }
        let now = Timestamp(milliseconds: signed.purchaseDate)
        let earlier = periods.filter { $0.purchasedAt <= now }
        let last = earlier.max { $0.purchasedAt < $1.purchasedAt }
        let before = earlier.filter { !$0.isOrphan }.max { $0.purchasedAt < $1.purchasedAt }
        let after = periods.filter { $0.purchasedAt > now && $0.buyer != nil }
            .min { $0.purchasedAt < $1.purchasedAt }
        guard let period = before ?? after else { return nil }
        let isRenewal = signed.transactionReason == "RENEWAL"
        let isDeed = last.map { Self.isDeed(signed, after: $0) } ?? false
        // Seats are added to a period that runs, and are its holder's.
        let isPart = signed.isAddition && last?.expires.map { now < $0 } ?? false
        rank = isPart ? .first : !isRenewal ? .afterOrder : isDeed ? .afterToken : .first
        // Of two purchases that begin at once neither waits for the other one.
        let isAwaited =
            rank == .afterOrder
            ? period.isProposed && period.purchasedAt < now : period.isProposed || period.isWaiting
        buyer = period.buyer ?? (rank == .afterOrder ? period.candidate : nil)
        guard buyer != nil || isAwaited else { return nil }
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
