import Contracts
import TestKit

/// Dealings in which somebody has to ask Apple.
extension GroupScriptWriter {
    /// A receipt that bears no signature.
    mutating func writeAsked(_ workload: GroupWorkload) {
        guard workload != .askedRefused else { return writeRefused() }
        let product = product()
        let order = script.order(own, product)
        let isForBoth = workload == .askedByBoth
        let payment = script.buy(product, token: !isForBoth && random.flip() ? .order(order) : .none)
        let hint: GroupHint = random.flip() ? .order(order) : .none
        script.submit(payment, by: own, hint: hint, kind: .transactionReceipt, after: soon())
        switch workload {
        case .askedTwice:
            script.submit(payment, by: own, kind: .transactionReceipt, after: later())
            script.submit(payment, by: own, hint: hint, kind: .transactionReceipt, after: 2_000 + later())
        case .askedByBoth: script.submit(payment, by: other, kind: .transactionReceipt, after: soon())
        case .askedWithProof:
            if random.flip() {
                script.submit(payment, by: random.flip() ? own : other, .again, after: soon())
            } else {
                script.state(payment, .again, after: soon())
            }
        case .askedThenRefunded:
            if random.flip() {
                script.submit(payment, by: own, .refund, after: 700 + later())
            } else {
                script.state(payment, .refund, after: later())
            }
        default: break
        }
    }

    private mutating func writeRefused() {
        let proof = "\(GroupApple.refused) \(random.next())"
        script.submit(.text(proof), by: own, kind: .transactionReceipt, after: soon())
        if random.flip() { script.submit(.text(proof), by: other, kind: .transactionReceipt, after: later()) }
    }

    /// Something that Apple states and cannot deliver.
    mutating func writeMissed(_ workload: GroupWorkload) {
        let product = product()
        let order = script.order(own, product)
        let payment = script.buy(product, token: random.flip() ? .order(order) : .none)
        switch workload {
        case .missedPurchase:
            script.state(payment, isMissed: true, after: later())
            if random.flip() { script.submit(payment, by: own, after: later()) }
        case .confirmedRefund:
            script.submit(payment, by: own, kind: .appReceipt, after: later())
            script.state(payment, .refund, isMissed: true, after: soon())
        default:
            script.submit(payment, by: own, after: soon())
            script.state(payment, .refund, isMissed: true, after: 700 + later())
        }
    }
}
