import Contracts
import TestKit

/// Dealings in which a purchase has two transactions: its own, and what a second device restored.
extension GroupScriptWriter {
    mutating func writeRestored(_ workload: GroupWorkload) {
        let order = script.order(own, .sword)
        let isNamed = random.flip()
        let payment = script.buy(.sword, token: isNamed ? .order(order) : .none)
        let again = script.restore(payment)
        let hint: GroupHint = random.flip() ? .order(order) : .none
        if workload == .restored, random.happens(perMille: 250) {
            let both = [(again, GroupFacts.again), (payment, GroupFacts.purchase)]
            return script.submit(.transactions(both), by: own, hint: hint, after: soon())
        }
        // Either device may be the first.
        script.submit(payment, by: own, hint: hint, after: random.flip() ? soon() : later())
        let second = workload == .restored || (workload == .restoredRefund && random.flip()) ? own : other
        script.submit(
            again,
            by: second,
            random.flip() ? .purchase : .again,
            after: random.flip() ? soon() : later()
        )
        if random.happens(perMille: 300) { script.submit(again, by: own, .again, after: later()) }
        if random.happens(perMille: 300) { script.state(again, .again, after: later()) }
        guard workload == .restoredRefund else { return }
        // Apple speaks of one id, and means the purchase.
        let taken = random.flip() ? payment : again
        if random.flip() {
            script.state(taken, .refund, after: 700 + later())
        } else {
            script.submit(taken, by: random.flip() ? own : other, .refund, after: 700 + later())
        }
        if random.happens(perMille: 300) {
            script.submit(random.flip() ? payment : again, by: own, .again, after: 1_500 + later())
        }
    }
}
