import AppStoreSigning
import Contracts
import Foundation
import LoadVerdict
import TestKit

/// A subscription, which a phone buys and Apple keeps up.
extension Phone {
    /// Buys the first period; the others come by notification, whether the phone has its goods yet or not.
    func subscribe(_ payment: Payment) async throws {
        guard let plan = script.subscription else { return }
        let first = payment.transaction
        note(first: first, of: payment.id)
        try await pay(payment)
        try await submit(payment, since: WallClock.microseconds)
        var periods = [first]
        var notices: [Notice] = []
        var product = script.product
        for step in plan.steps {
            let period = step.period(after: periods, plan.length, named: context.products)
            periods.append(period)
            let notice = Notice(step, period)
            product = step.product ?? product
            let names = step.names(script.carriesToken ? payment.order.orderId : nil)
            try await announce(notice, product: product, of: payment.id, names, owner: script.buyer)
            if plan.isAtOnce { notices.append(notice) } else { try await deliver(notice, of: payment.id) }
        }
        if let gracePeriod = plan.gracePeriod, let notice = Notice(failed: periods, grace: gracePeriod) {
            periods[periods.count - 1] = notice.transaction
            context.note { $0.note(notice, of: payment.id) }
            if plan.isAtOnce { notices.append(notice) } else { try await deliver(notice, of: payment.id) }
        }
        try await deliverAtOnce(notices, of: payment.id)
        guard let refund = script.refund else { return }
        try await tell(of: refund, about: periods[refund.period])
        if refund.isStaleProofSent { try await handInAgain(payment) }
    }

    /// Notes the first period of a subscription.
    func note(first period: SignedTransaction, of original: UInt64) {
        context.note {
            $0.note(Chain.Period(original, script.product, period), of: original, script, false)
        }
    }

    /// Notes a period that Apple is about to tell of, in the journal first: from here on there is something to lose.
    func announce(
        _ notice: Notice,
        product: Int,
        of original: UInt64,
        _ names: NamedOrder,
        owner: Int
    ) async throws {
        let period = notice.transaction
        let number = try period.number
        let expectation = PurchaseExpectation(
            owner: Int32(owner),
            product: UInt8(product),
            names: names,
            ends: period.expiresDate
        )
        context.note {
            $0.notePayment(number, expectation)
            $0.note(Chain.Period(number, product, period), of: original, script, true)
            $0.note(notice, of: original)
        }
        var line = JournalLine(.renewed, transaction: period.transactionId)
        line.originalTransactionId = period.originalTransactionId
        line.owner = context.buyers[owner]
        line.productId = period.productId
        try await context.journal.add(line)
    }

    func deliver(_ notice: Notice, of original: UInt64) async throws {
        let isRepeated = script.subscription?.isDeliveredTwice ?? false
        guard try await deliver(notice, isRepeated: isRepeated) else { return }
        let number = try notice.transaction.number
        context.note {
            $0.noteServerNotification(of: number)
            if let renewal = notice.renewal { $0.apple.noteRenewal(of: original, signed: renewal.signedDate) }
        }
    }

    private func deliverAtOnce(_ notices: [Notice], of original: UInt64) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for notice in notices { group.addTask { try await deliver(notice, of: original) } }
            try await group.waitForAll()
        }
    }
}

extension Audit {
    fileprivate mutating func note(
        _ period: Chain.Period,
        of original: UInt64,
        _ script: Script,
        _ isRenewal: Bool
    ) {
        apple.note(period, of: original, buyer: script.buyer, isRenewal: isRenewal)
    }

    fileprivate mutating func note(_ notice: Notice, of original: UInt64) {
        guard let renewal = notice.renewal else { return }
        apple.note(
            Chain.Renewal(signed: renewal.signedDate, gracePeriodEnds: renewal.gracePeriodExpiresDate),
            of: original
        )
    }
}

extension Chain.Period {
    fileprivate init(_ number: UInt64, _ product: Int, _ transaction: SignedTransaction) {
        self.init(
            transaction: number,
            product: UInt8(product),
            begins: transaction.purchaseDate,
            ends: transaction.expiresDate ?? transaction.purchaseDate
        )
    }
}

extension SubscriptionScript.Step {
    fileprivate var product: Int? { if case .upgrade(let product, _) = self { product } else { nil } }

    /// What its payment says of an order whose token the chain carries.
    fileprivate func names(_ token: UUID?) -> NamedOrder {
        switch self {
        case .renewal: .byRenewal(token: token)
        case .upgrade: token.map(NamedOrder.byToken) ?? .nothing
        }
    }

    /// The period that follows; none of a chain begins with another one.
    func period(
        after periods: [SignedTransaction],
        _ length: Int64,
        named products: [Product]
    ) -> SignedTransaction {
        var period = periods[periods.count - 1]
        let now = Timestamp.now().milliseconds
        var chance = SystemRandomNumberGenerator()
        period.transactionId = SimulatedPurchase.newNumber(using: &chance)
        period.webOrderLineItemId = SimulatedPurchase.newNumber(using: &chance)
        period.signedDate = max(now, period.signedDate + 1)
        var begins = period.expiresDate ?? now
        var lasts = length
        period.transactionReason = "RENEWAL"
        if case .upgrade(let product, let length) = self {
            (begins, lasts) = (now, length)
            period.productId = products[product].id
            period.transactionReason = "PURCHASE"
        }
        while periods.contains(where: { $0.purchaseDate == begins }) { begins += 1 }
        (period.purchaseDate, period.expiresDate) = (begins, begins + lasts)
        return period
    }
}

extension Notice {
    /// What Apple tells of a further period.
    init(_ step: SubscriptionScript.Step, _ period: SignedTransaction) {
        switch step {
        case .renewal: self.init(type: "DID_RENEW", transaction: period)
        case .upgrade: self.init(type: "DID_CHANGE_RENEWAL_PREF", subtype: "UPGRADE", transaction: period)
        }
        renewal = Renewal(of: period)
    }

    /// The renewal after the last period fails, and access goes on for so long, in ms; nil without an expiry.
    fileprivate init?(failed periods: [SignedTransaction], grace: Int64) {
        guard var last = periods.max(by: { $0.purchaseDate < $1.purchaseDate }), let ends = last.expiresDate,
            last.transactionId == periods.last?.transactionId
        else { return nil }
        last.signedDate = max(Timestamp.now().milliseconds, last.signedDate + 1)
        self.init(type: "DID_FAIL_TO_RENEW", subtype: "GRACE_PERIOD", transaction: last)
        renewal = Renewal(of: last)
        renewal?.isInBillingRetryPeriod = true
        renewal?.gracePeriodExpiresDate = ends + grace
    }
}

extension Notice.Renewal {
    fileprivate init(of period: SignedTransaction) {
        self.init(
            originalTransactionId: period.originalTransactionId,
            autoRenewProductId: period.productId,
            renewalDate: period.expiresDate,
            environment: period.environment,
            signedDate: period.signedDate
        )
    }
}
