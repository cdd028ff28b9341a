import Contracts
import TestKit

/// What a buyer's server asks of a wallet, under a key of its own.
struct GroupWalletAction {
    enum Kind {
        case spend, credit
        /// Of the spend with this number among the actions of the run.
        case reversal(Int)
    }

    /// A request that was carried out, and how many entries the ledger had before and after it.
    struct Answer {
        let entry: WalletEntryV1
        let entries: ClosedRange<Int64>
    }

    let plan: Int
    let buyer: BuyerID
    let kind: Kind
    let entitlement: String
    let amount: Int64
    /// When it is asked for, in ms after everything was made ready.
    let delay: Int64
    /// How many entries the ledger had when it was asked for first.
    var firstEntries: Int64?
    var answers: [Answer] = []
    /// How many entries the ledger had before and after each refusal for want of balance.
    var shortages: [ClosedRange<Int64>] = []
    var attempts = 0
    /// Whether it was refused for good, or whoever asked for it died.
    var isOver = false
}

/// Dealings with the wallet.
extension GroupScriptWriter {
    mutating func writeWallet(_ workload: GroupWorkload) {
        let sold: GroupProduct =
            workload == .spentToTheFloor || random.happens(perMille: 300) ? .chips : .coins
        let entitlement = sold == .chips ? GroupProduct.floored : "coins"
        let order = order(sold)
        let payment = buy(random.flip() ? .order(order) : .none, sold)
        submit(payment, by: own, hint: .order(order))
        switch workload {
        case .spentAtOnce:
            // Together they are more than there is, unless the buyer has bought much elsewhere.
            for _ in 0..<4 { ask(.spend, of: entitlement, random.within(20...60), after: 800...1_400) }
        case .credited:
            for _ in 0..<2 { ask(.credit, of: entitlement, random.within(1...90), after: Self.soon) }
            ask(.spend, of: entitlement, random.within(1...120), after: Self.later)
        case .spendReversed:
            for _ in 0..<2 {
                let spend = ask(.spend, of: entitlement, random.within(1...50), after: Self.later)
                for _ in 0...random.below(2) { ask(.reversal(spend), of: entitlement, 0, after: Self.later) }
            }
        case .spentAndRefunded, .spentToTheFloor:
            ask(.spend, of: entitlement, random.within(10...60), after: Self.later)
            state(payment, .refund, after: Self.afterwards)
            if random.flip() { state(payment, .refundReversed, after: Self.last) }
        default:
            for _ in 0...random.below(3) {
                ask(.spend, of: entitlement, random.within(1...60), after: Self.later)
            }
        }
    }

    @discardableResult
    private mutating func ask(
        _ kind: GroupWalletAction.Kind,
        of entitlement: String,
        _ amount: Int64,
        after delay: ClosedRange<Int64>
    ) -> Int {
        script.walletActions.append(
            GroupWalletAction(
                plan: script.plans,
                buyer: own,
                kind: kind,
                entitlement: entitlement,
                amount: amount,
                delay: random.within(delay)
            )
        )
        return script.walletActions.count - 1
    }
}
