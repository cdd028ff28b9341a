import Contracts
import Domain
import Foundation

/// What two buyers may do.
enum GroupWorkload: String, CaseIterable, Sendable {
    case plain, nothingNamed, quantity, duplicate, twoTransactions
    /// A receipt of more transactions than are taken in one commit.
    case longReceipt
    /// Several purchases of what is owned once.
    case owned
    /// An order with metadata as large and deep as they may be.
    case largestOrder
    /// Both buyers hand in the same proof.
    case fight, fightForToken, fightForName
    /// One hands in what the other has bought, and says so.
    case forAnother
    /// Several purchases with the token of one order.
    case repeatedToken
    case registeredToken, foreignToken, lostOrderToken, garbageToken
    case unknownOrder, studioNumber, namedOrder, namedByOther, namedTwice
    case late, dearToken
    case sandbox, sandboxRefused, wrongEnvironment, wrongApp
    case refundAfter, refundFirst, refundByOther, refundAtOnce, partialRefund, refundReversed,
        staleAfterRefund
    case retired, novelty, unheard
    case forged, untrusted
    /// Apple speaks of a transaction, no phone does.
    case statement, statementThenProof, statedRefund
    /// Apple speaks of a purchase outside the App Store, which only the buyers' server has to know.
    case externalPurchase
    /// Only Apple can say what a receipt is worth, and is asked.
    case askedOfApple, askedTwice, askedByBoth, askedWithProof, askedThenRefunded, askedRefused
    /// Apple's statement never arrives, and stands in its list.
    case missedPurchase, missedRefund
    /// Apple took back what a genuine receipt lists, and its statement never arrives.
    case confirmedRefund
    /// A second device hands in what it restored: another transaction of the same purchase.
    case restored, restoredElsewhere, restoredRefund
    case subscription
    /// Periods that nobody ordered: after those before them are held, before they come, without them, in any order.
    case renewal, renewalFirst, renewalAlone, renewalsInAnyOrder
    /// Seats that are added to a running period, of which one or both are refunded.
    case seatsAdded, seatsRefunded
    /// A member's copy of a seat, with the line item of whoever paid.
    case seatAssigned
    /// Another product before the period has ended; refunded; and one of which only the older period tells.
    case upgrade, upgradeRefunded, upgradeUnknown
    /// Another buyer's order is paid with a period of the chain; and then one of the first buyer's again.
    case moved, movedBack
    case periodRefunded, oldPeriodRefunded, periodRefundReversed
    /// Of two periods the one that runs.
    case runningPeriodRefunded
    /// Of two passes for a day the first, when the second has followed it.
    case daysRefunded
    /// Apple tries to renew what has expired.
    case gracePeriod
    /// A grace period that is stated when the end was told.
    case revived
    /// Periods, and a grace period, that end while the group runs.
    case runsOut, renewedInTime, graceRunsOut
    /// A second device hands in the period under a transaction id of its own.
    case periodRestored
    /// An app receipt lists it before Apple says that a family shares it.
    case familyShared
    /// On one phone another login hands in the app receipt that lists what the first one ordered and paid.
    case sharedPhone, sharedPhonePeriod
    /// What gives access to a lapsed chain's other buyer, who has ordered it and whose phone is late.
    case lapsed
    /// Apple states a period, newer, in another chain; and another chain's transaction states the line item of one.
    case merged, restated
    /// Apple tells of a subscription that replaces the buyer's, as a bundle does; its token says nothing.
    case replaced
    /// Another login restores what moves: once, and back, refunded, and what does not move.
    case transferred, transferredBack, transferredAndRefunded, transferRefused
    /// Another login restores with a copy of an old proof, and names an order of its own or none.
    case restoredByCopy
    /// The payer restores it a month after the other login has, while Apple refunds it or not.
    case returned
    /// The period that runs, or one of several, with all that follow.
    case periodTransferred, chainTransferred
    /// What a buyer's server asks of the wallet.
    case spent, spentAtOnce, credited, spendReversed
    /// Goods that are spent are refunded: a balance falls below zero, or no further than to zero.
    case spentAndRefunded, spentToTheFloor
    /// Operators make up for an order; its proof comes after all, or never.
    case compensated
    /// Operators give what is nobody's to a buyer.
    case assigned

    static let onlyAtTheDesk: [GroupWorkload] = [.compensated, .assigned]
    /// What runs are made of, in turns.
    static let everyday = allCases.filter { !onlyAtTheDesk.contains($0) }
    /// What runs are made of in which operators act.
    static let atTheDesk: [GroupWorkload] = [.compensated, .assigned, .refundAfter]
}

/// An order as its buyer wants it.
struct GroupOrder {
    static let environment = Environment.production
    static let largestMetadata: [String: JSONValue] = {
        let text = JSONValue.string(String(repeating: "\"", count: Limits.metadataBytes / 2 - 16))
        let deep = (2..<Limits.metadataLevels).reduce(JSONValue.array([text])) { inner, _ in .array([inner]) }
        return ["a": deep]
    }()

    let plan: Int
    let buyer: BuyerID
    let product: GroupProduct
    let quantity: Int
    /// Whether it is given up before anything is paid.
    let closes: Bool
    /// Whether it has metadata, as large and deep as they may be.
    let isLargest: Bool
    var id: OrderID?
    var isClosed = false
    var isReady = false
}

/// A token of the app's own that is to be registered for a buyer.
struct GroupRegistration {
    let plan: Int
    let token: UUID
    let buyer: BuyerID
    var isReady = false
}

enum GroupHint {
    case none
    case order(Int)
    case text(String)
}

/// One proof that one phone hands in.
struct GroupSubmission {
    enum Content {
        case transactions([(Int, GroupFacts)])
        case text(String)
    }

    let plan: Int
    let buyer: BuyerID
    let content: Content
    var kind = ProofKind.signedTransaction
    var hint = GroupHint.none
    /// The other buyer, where the phone says that they have bought it.
    var purchasedBy: BuyerID?
    /// When it is handed in, in ms after everything was made ready.
    let delay: Int64
    /// Whether it waits until the earlier periods of its subscription are held.
    var isPatient = false
    /// Whether it is meant to move what another login holds.
    var isRestore = false
    /// Whether its proof is the copy of an old one.
    var isStale = false
    /// Whether the proof says neither token nor ownership, as no app receipt does.
    var saysNoBuyer: Bool { kind == .appReceipt }
    /// Whether it is handed in a month later.
    var isMonthLater = false
    var receipt: ReceiptID?
    var isDead = false
    /// Whether it may move something.
    var moves: Bool { isRestore && !isStale }
    var polls = 0
}

/// A statement of Apple's that comes without a phone.
struct GroupStatement {
    let plan: Int
    let transaction: Int
    let facts: GroupFacts
    /// Whether Apple does not come through with it.
    let isMissed: Bool
    let delay: Int64
    /// As `GroupSubmission`.
    var isPatient = false
    var isMonthLater = false
    /// What Apple says with it of the next renewal.
    var renewal: RenewalFacts?
}

/// Everything that is meant to happen in one run.
///
/// A plan is one workload: its orders and registrations are made first, and what then happens happens at once.
struct GroupScript {
    /// Plans count from 1.
    var plans = 0
    var orders: [GroupOrder] = []
    var registrations: [GroupRegistration] = []
    var transactions: [GroupTransaction] = []
    var submissions: [GroupSubmission] = []
    var statements: [GroupStatement] = []
    var walletActions: [GroupWalletAction] = []
    var externalPurchases: [GroupExternalPurchase] = []
    var compensations: [GroupCompensation] = []
    var assignments: [GroupAssignment] = []

    func isReady(_ plan: Int) -> Bool {
        orders.allSatisfy { $0.plan != plan || $0.isReady }
            && registrations.allSatisfy { $0.plan != plan || $0.isReady }
    }
}
