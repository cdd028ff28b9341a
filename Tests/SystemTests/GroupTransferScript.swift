import Contracts
import TestKit

/// Dealings in purchases and subscriptions that another login restores.
extension GroupScriptWriter {
    mutating func writeTransfer(_ workload: GroupWorkload) {
        switch workload {
        case .transferRefused: writeRefusedTransfer()
        case .restoredByCopy: for product in [GroupProduct.castle, .manor] { writeCopy(of: product) }
        case .periodTransferred, .chainTransferred: writeChainTransfer(workload)
        // Not each of them has moved in time to be returned.
        case .returned: for _ in 0..<2 { writePurchaseTransfer(workload) }
        default: writePurchaseTransfer(workload)
        }
    }

    private mutating func writePurchaseTransfer(_ workload: GroupWorkload) {
        let product: GroupProduct = random.pick([.castle, .manor])
        let order = order(product)
        let payment = buy(random.flip() ? .order(order) : .none, product)
        submit(payment, by: own, hint: random.flip() ? .order(order) : .none)
        if random.happens(perMille: 200) { submit(payment, by: other, after: Self.later) }
        restore(secondDevice(of: payment), by: other, .again, after: restoreTime())
        switch workload {
        case .returned: returnLater(payment)
        case .transferredBack:
            restore(payment, by: own, .again, after: random.flip() ? Self.later : Self.last)
        case .transferredAndRefunded:
            state(payment, .refund, after: random.pick([Self.soon, Self.afterwards, Self.last]))
            if random.flip() { state(payment, .refundReversed, after: Self.last) }
        default:
            if random.flip() { submit(payment, by: eitherBuyer(), after: Self.last) }
        }
    }

    /// The payment, or what a second device got of it under an id of its own.
    private mutating func secondDevice(of payment: Int) -> Int {
        guard random.happens(perMille: 300) else { return payment }
        let again = buy(script.transactions[payment].token, script.transactions[payment].product)
        script.transactions[again].restores = payment
        return again
    }

    /// What is restored again when a transfer is allowed again, and refunded before, meanwhile or after.
    private mutating func returnLater(_ payment: Int) {
        restore(payment, by: own, .again, after: Self.later)
        script.submissions[script.submissions.count - 1].isMonthLater = true
        guard random.flip() else { return }
        state(payment, .refund, after: Self.later)
        script.statements[script.statements.count - 1].isMonthLater = true
        guard random.flip() else { return }
        state(payment, .refundReversed, after: Self.later)
        script.statements[script.statements.count - 1].isMonthLater = true
    }

    /// A product that does not move, or what is used up.
    private mutating func writeRefusedTransfer() {
        let product: GroupProduct = random.pick([.sword, .coins])
        let payment = buy(.order(order(product)), product)
        submit(payment, by: own)
        restore(payment, by: other, .again, after: Self.later)
        if random.flip() { restore(payment, by: own, after: Self.last) }
    }

    /// What moves, but not to a stranger who has got hold of an old proof, and has perhaps ordered the same.
    private mutating func writeCopy(of product: GroupProduct) {
        let payment = buy(.order(order(product)), product)
        submit(payment, by: own)
        let hint: GroupHint = product == .manor ? .order(order(product, by: other)) : .none
        restore(secondDevice(of: payment), by: other, .again, hint: hint, after: restoreTime())
        script.submissions[script.submissions.count - 1].isStale = true
        guard random.flip() else { return }
        restore(payment, by: own, after: Self.last)
    }

    /// What the app receipt gave by mistake is taken back.
    mutating func writeFamilyShared() {
        let payment = buy(.none, .castle)
        script.transactions[payment].isShared = true
        submit(.transactions([(payment, .purchase)]), by: own, kind: .appReceipt)
        let facts: GroupFacts = random.flip() ? .purchase : .again
        let delay = random.flip() ? Self.soon : Self.later
        state(payment, facts, after: delay)
        if random.flip() { submit(payment, by: own, facts, after: delay) }
    }

    /// The receipt of the device may come before or after the token of who has paid.
    mutating func writeSharedPhone() {
        let product: GroupProduct = random.pick([.sword, .coins])
        let payment = buy(.order(order(product)), product)
        submit(payment, by: other, kind: .appReceipt, after: random.flip() ? Self.soon : Self.later)
        let delay = random.flip() ? Self.soon : Self.later
        if random.flip() { submit(payment, by: own, after: delay) } else { state(payment, after: delay) }
        if random.happens(perMille: 300) {
            submit(payment, by: own, .again, kind: .appReceipt, after: Self.later)
        }
    }

    /// The period that is restored moves with all later ones; what was before stays.
    private mutating func writeChainTransfer(_ workload: GroupWorkload) {
        let isEarly = workload == .periodTransferred
        let first = firstPeriod(.guild, until: isEarly ? 20 : -5)
        let second = renew(first, until: 40, anyToken(like: first))
        stateOrSubmit(second, isPatient: true, after: isEarly ? Self.afterwards : Self.soon)
        if random.flip() {
            stateOrSubmit(renew(second, until: 60, anyToken(like: first)), isPatient: true)
        }
        let restored = isEarly || random.flip() ? first : second
        restore(restored, by: other, sold(restored).again, after: isEarly ? restoreTime() : Self.afterwards)
        if random.happens(perMille: 300) {
            restore(restored, by: own, sold(restored).again, after: Self.last)
        }
    }

    /// Mostly when the purchase is held; who restores what nobody holds has bought it.
    private mutating func restoreTime() -> ClosedRange<Int64> {
        random.happens(perMille: 150) ? Self.soon : Self.afterwards
    }

    private mutating func restore(
        _ transaction: Int,
        by buyer: BuyerID,
        _ facts: GroupFacts = .purchase,
        hint: GroupHint = .none,
        after delay: ClosedRange<Int64>
    ) {
        submit(transaction, by: buyer, facts, hint: hint, after: delay)
        script.submissions[script.submissions.count - 1].isRestore = true
    }
}
