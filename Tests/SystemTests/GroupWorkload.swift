import Contracts
import Foundation
import TestKit

/// What two buyers may do.
enum GroupWorkload: String, CaseIterable, Sendable {
    case plain, nothingNamed, quantity, duplicate, twoTransactions
    /// Both buyers hand in the same proof.
    case fight, fightForToken, fightForName
    /// Several purchases with the token of one order.
    case repeatedToken
    case registeredToken, foreignToken, lostOrderToken, garbageToken
    case unknownOrder, studioNumber, namedOrder, namedByOther, namedTwice
    case late, dearToken
    case sandbox, sandboxRefused, wrongEnvironment, wrongApp
    case refundAfter, refundFirst, refundByOther, refundAtOnce, partialRefund, refundReversed,
        staleAfterRefund
    case retired, novelty, unheard, subscription
    case forged, untrusted
    /// Apple speaks of a transaction, no phone does.
    case statement, statementThenProof, statedRefund
    /// Only Apple can say what a receipt is worth, and is asked.
    case askedOfApple, askedTwice, askedByBoth, askedWithProof, askedThenRefunded, askedRefused
    /// Apple's statement never arrives, and stands in its list.
    case missedPurchase, missedRefund
    /// Apple took back what a genuine receipt lists, and its statement never arrives.
    case confirmedRefund
    /// A second device hands in what it restored: another transaction of the same purchase.
    case restored, restoredElsewhere, restoredRefund
}

/// An order as its buyer wants it.
struct GroupOrder {
    let plan: Int
    let buyer: BuyerID
    let product: GroupProduct
    let environment: Environment
    var quantity = 1
    /// Whether it is given up before anything is paid.
    var closes = false
    var id: OrderID?
    var isClosed = false
}

enum GroupHint: Equatable {
    case none
    case order(Int)
    case text(String)
}

/// One proof that one phone hands in.
struct GroupSubmission {
    enum Content: Equatable {
        case transactions([(Int, GroupFacts)])
        case text(String)

        static func == (left: Content, right: Content) -> Bool {
            switch (left, right) {
            case (.transactions(let own), .transactions(let other)):
                own.map(\.0) == other.map(\.0) && own.map(\.1) == other.map(\.1)
            case (.text(let own), .text(let other)): own == other
            case (.transactions, .text), (.text, .transactions): false
            }
        }
    }

    let buyer: BuyerID
    let content: Content
    var kind = ProofKind.signedTransaction
    var hint = GroupHint.none
    /// When it is handed in, in ms after everything was made ready.
    var delay: Int64
    var receipt: ReceiptID?
    var isDead = false
    var polls = 0
}

/// A statement of Apple's that comes without a phone.
struct GroupStatement {
    let transaction: Int
    let facts: GroupFacts
    /// Whether Apple does not come through with it.
    var isMissed = false
    var delay: Int64
}

/// The actions of one workload: what is made ready first, and what then happens at once.
struct GroupPlan {
    let workload: GroupWorkload
    var orders: [Int] = []
    var registrations: [(token: String, buyer: BuyerID)] = []
    var submissions: [Int] = []
    var statements: [Int] = []
    /// How many orders and registrations are not ready yet.
    var missing = 0
}

/// Everything that is meant to happen in one run.
struct GroupScript {
    private(set) var plans: [GroupPlan] = []
    var orders: [GroupOrder] = []
    var transactions: [GroupTransaction] = []
    var submissions: [GroupSubmission] = []
    var statements: [GroupStatement] = []

    /// What a plan's preparation has come to.
    mutating func finishPreparation(of plan: Int) -> Bool {
        plans[plan].missing -= 1
        return plans[plan].missing == 0
    }

    // MARK: Making

    mutating func begin(_ workload: GroupWorkload) { plans.append(GroupPlan(workload: workload)) }

    mutating func end() {
        let last = plans.count - 1
        plans[last].missing = plans[last].orders.count + plans[last].registrations.count
    }

    mutating func order(
        _ buyer: BuyerID,
        _ product: GroupProduct = .coins,
        _ environment: Environment = .production,
        quantity: Int = 1,
        closes: Bool = false
    ) -> Int {
        let plan = plans.count - 1
        orders.append(
            GroupOrder(
                plan: plan,
                buyer: buyer,
                product: product,
                environment: environment,
                quantity: quantity,
                closes: closes
            )
        )
        plans[plan].orders.append(orders.count - 1)
        return orders.count - 1
    }

    mutating func register(_ token: String, for buyer: BuyerID) {
        plans[plans.count - 1].registrations.append((token, buyer))
    }

    mutating func buy(_ product: GroupProduct = .coins, token: GroupToken = .none) -> Int {
        transactions.append(GroupTransaction(number: transactions.count, product: product, token: token))
        return transactions.count - 1
    }

    /// What a second device gets of a purchase.
    mutating func restore(_ transaction: Int) -> Int {
        let first = transactions[transaction]
        var again = GroupTransaction(number: transactions.count, product: first.product, token: first.token)
        again.restores = transaction
        transactions.append(again)
        return again.number
    }

    mutating func submit(
        _ transaction: Int,
        by buyer: BuyerID,
        _ facts: GroupFacts = .purchase,
        hint: GroupHint = .none,
        kind: ProofKind = .signedTransaction,
        after delay: Int64
    ) {
        submit(.transactions([(transaction, facts)]), by: buyer, hint: hint, kind: kind, after: delay)
    }

    mutating func submit(
        _ content: GroupSubmission.Content,
        by buyer: BuyerID,
        hint: GroupHint = .none,
        kind: ProofKind = .signedTransaction,
        after delay: Int64
    ) {
        submissions.append(
            GroupSubmission(buyer: buyer, content: content, kind: kind, hint: hint, delay: delay)
        )
        plans[plans.count - 1].submissions.append(submissions.count - 1)
    }

    mutating func state(
        _ transaction: Int,
        _ facts: GroupFacts = .purchase,
        isMissed: Bool = false,
        after delay: Int64
    ) {
        statements.append(
            GroupStatement(transaction: transaction, facts: facts, isMissed: isMissed, delay: delay)
        )
        plans[plans.count - 1].statements.append(statements.count - 1)
    }
}
