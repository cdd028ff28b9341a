package import Contracts
package import Database
package import Delivery
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

    /// The service; it has no configuration of its own.
    package init() {}

    /// Names the handler of every message that Orders receives.
    package func register(in table: inout HandlerTable) {
        table.on(request: OrderIssueV1.self) { try OnOrderIssue()($0, in: &$1) }
        table.on(request: OrderGetV1.self) { try OnOrderGet()($0, in: &$1) }
        table.on(request: OrderCloseV1.self) { try OnOrderClose()($0, in: &$1) }
        table.on(request: TokenRegisterV1.self) { try OnTokenRegister()($0, in: &$1) }
        table.on(ClaimProposedV1.self) { try OnClaimProposed()($0, in: &$1) }
        table.on(TransactionRestatedV1.self) { try OnTransactionRestated()($0, in: &$1) }
        table.on(GrantSettledV1.self) { try OnGrantSettled()($0, in: &$1) }
    }

    /// What the orders tell about these ids.
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

    /// Sends every payment again: to Receipts as a held claim, to Entitlements as a request.
    ///
    /// - Throws: `StoreError` or `SendFault`.
    package func redrive(to target: PartitionAddress, in transaction: inout Transaction) throws {
        switch target.service {
        case .receipts: try answerAgain(to: target, in: &transaction)
        case .entitlements: try requestAgain(to: target, in: &transaction)
        case .orders, .notifications: break
        }
    }

    /// Tells Receipts again of every claim that is held here.
    private func answerAgain(to target: PartitionAddress, in transaction: inout Transaction) throws {
        let partitions = transaction.partitions
        try PaidOrders(connection: transaction.connection).forEach { payment in
            let facts = payment.transaction
            let shard = Shard(bundleID: facts.bundleId, originalTransactionID: facts.originalTransactionId)
            guard shard.partition(of: partitions) == target.partition else { return }
            try transaction.answerHeld(facts, by: payment.order, attempt: payment.attempt)
        }
    }

    /// Asks the ledger again to follow every payment.
    private func requestAgain(to target: PartitionAddress, in transaction: inout Transaction) throws {
        let partitions = transaction.partitions
        try PaidOrders(connection: transaction.connection).forEach { payment in
            let order = payment.order
            let shard = Shard(bundleID: order.bundleID, buyer: order.buyerID)
            guard shard.partition(of: partitions) == target.partition else { return }
            let grant = GrantRequestedV1(
                holder: order.buyerID,
                terms: order.terms,
                transaction: payment.transaction,
                submission: nil
            )
            try transaction.request(grant)
        }
    }
}
