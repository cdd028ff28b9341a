package import Contracts
package import Database
package import Delivery
import Domain
import OrdersCore

/// Orders: who wants to buy what, and how far it has come.
package struct OrdersService: PartitionedService {
    /// The name in every address of its partitions.
    package static let name = ServiceName.orders

    /// Answers close cycles and are never braked; the others may be.
    package static let links: [ServiceName: LinkKind] = [
        .receipts: .answer, .entitlements: .forward, .notifications: .forward,
    ]

    /// The tables of every partition.
    package static let schema = OrdersSchema.schema

    /// Looks again at orders that nobody pays.
    package let worker: (any OutsideWorker)? = PaymentRecovery()

    package init() {}

    /// Names the handler of every message that Orders receives.
    package func register(in table: inout HandlerTable) {
        table.on(request: OrderIssueV1.self) { try OnOrderIssue()($0, in: &$1) }
        table.on(request: OrderGetV1.self) { try OnOrderGet()($0, in: &$1) }
        table.on(request: OrderCloseV1.self) { try OnOrderClose()($0, in: &$1) }
        table.on(request: TokenRegisterV1.self) { try OnTokenRegister()($0, in: &$1) }
        table.on(ClaimProposedV1.self) { try OnClaimProposed()($0, in: &$1) }
        table.on(ClaimLookupV1.self) { try OnClaimLookup()($0, in: &$1) }
        table.on(TransactionRestatedV1.self) { try OnTransactionRestated()($0, in: &$1) }
        table.on(GrantSettledV1.self) { try OnGrantSettled()($0, in: &$1) }
    }

    /// What the orders tell about these ids.
    ///
    /// - Throws: `StoreError`.
    package func trace(_ identifiers: Set<String>, in connection: any Connection) throws -> Trace {
        try OrderTrace(connection: connection).read(identifiers)
    }

    /// How many orders wait for their payment and are watched, and how long payments have waited for the ledger.
    ///
    /// - Throws: `StoreError`.
    package func gauges(in connection: any Connection, now: Timestamp) throws -> [String: Double] {
        try OrderGauges(connection: connection).read(now: now)
    }

    /// Sends a page of all payments again: to Receipts as held claims, to Entitlements as requests.
    ///
    /// - Throws: `StoreError` or `SendFault`.
    package func redrive(
        to target: PartitionAddress,
        after key: [String],
        in context: inout HandlerContext
    ) throws -> RedrivePage {
        guard target.service == .receipts || target.service == .entitlements else { return .none }
        let page = try PaidOrders(connection: context.connection).page(after: key.first ?? "")
        for payment in page { try redrive(payment, to: target, in: &context) }
        return RedrivePage(page.map { [$0.order.id.rawValue] }, limit: PaidOrders.pageRows)
    }

    private func redrive(
        _ payment: PaidOrders.Payment,
        to target: PartitionAddress,
        in context: inout HandlerContext
    ) throws {
        let (order, facts) = (payment.order, payment.transaction)
        let isClaim = target.service == .receipts
        let key = isClaim ? facts.chainKey : .buyer(order.buyerID, of: order.bundleID)
        guard key.address(in: target.service, of: context.partitions) == target else { return }
        if isClaim {
            try context.send(ClaimRedrivenV1(facts, order: order, attempt: payment.attempt))
        } else {
            let grant = GrantRequestedV1(
                holder: order.buyerID,
                terms: order.terms,
                transaction: facts,
                submission: nil
            )
            try context.send(grant)
        }
    }
}
