package import Contracts
package import Database
package import Delivery
import Domain

/// Orders: who wants to buy what, and each order's progress.
package struct OrdersService: PartitionedService {
    package static let name = ServiceName.orders

    package static let schema = OrdersSchema.schema

    package let worker: (any OutsideWorker)? = PaymentRecovery()

    package init() {}

    /// Registers the handler of every message that Orders receives.
    package func register(in table: inout HandlerTable) {
        table.on(request: OrderIssueV1.self) { try OnOrderIssue()($0, in: &$1) }
        table.on(request: OrderGetV1.self) { try OnOrderGet()($0, in: &$1) }
        table.on(request: OrderCloseV1.self) { try OnOrderClose()($0, in: &$1) }
        table.on(request: TokenRegisterV1.self) { try OnTokenRegister()($0, in: &$1) }
        table.on(ClaimProposedV1.self) { try OnClaimProposed()($0, in: &$1) }
        table.on(ClaimLookupV1.self) { try OnClaimLookup()($0, in: &$1) }
        table.on(TransactionUpdatedV1.self) { try OnTransactionUpdated()($0, in: &$1) }
        table.on(GrantSettledV1.self) { try OnGrantSettled()($0, in: &$1) }
    }

    /// The trace of these ids in the orders.
    ///
    /// - Throws: `StoreError`.
    package func trace(_ identifiers: Set<String>, in connection: any Connection) throws -> Trace {
        try OrderTrace(connection: connection).read(identifiers)
    }

    /// How many orders wait for their payment, and how long payments have waited for the ledger.
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
        let page = try PaymentStore(connection: context.connection).page(after: key.first ?? "")
        for payment in page {
            let (order, facts) = (payment.order, payment.transaction)
            let claim = ClaimRedrivenV1(
                attempt: payment.attempt,
                transaction: facts,
                buyerId: order.buyerID,
                orderId: order.id
            )
            let grant = GrantRequestedV1(order, transaction: facts, submission: nil)
            if context.owner(of: claim) == target { try context.send(claim) }
            if context.owner(of: grant) == target { try context.send(grant) }
        }
        return RedrivePage(page.map { [$0.order.id.rawValue] }, limit: PaymentStore.pageRows)
    }
}
