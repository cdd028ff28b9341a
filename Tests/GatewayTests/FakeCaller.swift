import Contracts
import Foundation
import NIOConcurrencyHelpers

@testable import Gateway

/// Partitions that reply from a closure, or as if all went well, and record what they were asked.
struct FakeCaller: PartitionCaller {
    struct Call: Sendable {
        let request: any RequestContract
        let partition: PartitionAddress
        let subject: String
        let milliseconds: Int64
        /// The trace on which the request goes over the socket.
        let traceparent: String?
    }

    typealias Reply = any Encodable & Sendable
    typealias Handler = @Sendable (any RequestContract, PartitionAddress) async throws(Problem) -> Reply?

    private let recorded = NIOLockedValueBox<[Call]>([])
    private let handler: Handler

    init(_ handler: @escaping Handler) { self.handler = handler }

    var calls: [Call] { recorded.withLockedValue { $0 } }

    /// The requests of one type that were asked.
    func requests<R: RequestContract>(_ type: R.Type) -> [R] { calls.compactMap { $0.request as? R } }

    func ask(
        _ request: some RequestContract,
        of partition: PartitionAddress,
        subject: String,
        within milliseconds: Int64
    ) async throws(Problem) -> Data {
        let sent = SocketCaller.event(request, subject: subject, at: Timestamp(milliseconds: 0))
        let call = Call(
            request: request,
            partition: partition,
            subject: subject,
            milliseconds: milliseconds,
            traceparent: sent.traceparent
        )
        recorded.withLockedValue { $0.append(call) }
        let reply = try await handler(request, partition)
        do {
            let answer = try reply ?? Self.succeed(request, partition)
            return Data(try EventCoder.encoder().encode(answer))
        } catch {
            throw error as? Problem ?? .unanswered
        }
    }

    /// Replies as a group does in which all goes well.
    private static func succeed(_ request: any RequestContract, _ partition: PartitionAddress) throws -> Reply
    {
        switch request {
        case let issue as OrderIssueV1: return order(orderID, issue)
        case let get as OrderGetV1: return order(get.orderId)
        case is OrdersFindV1:
            let orders = partition.partition == 1 ? [order(orderID), order(orderID)] : []
            return OrdersV1(orders: orders, next: nil)
        case let close as OrderCloseV1: return order(close.orderId, state: .closed)
        case let report as OrderReportV1:
            var order = order(report.orderId, state: report.outcome == .deferred ? .deferred : .closed)
            order.error = report.error
            return order
        case let log as OrderLogV1: return log.entries
        case is OrdersListV1: return OrdersV1(orders: [order(orderID)], next: orderID)
        case let deliver as ServerNotificationDeliverV1:
            return ServerNotificationDeliveredV1(notificationUUID: deliver.identifier, isRepeated: false)
        case let look as CompensationDecideV1 where look.isDryRun == true:
            throw Problem.notFound("There is no such proposal.", field: "proposalId")
        case let reserve as AppleOrderReserveV1: return AppleOrderReserved(isNew: reserve.step == .take)
        case let hint as ServerNotificationHintV1:
            return ServerNotificationHintedV1(originalTransactionId: hint.originalTransactionId)
        case let register as TokenRegisterV1:
            return TokenRegisteredV1(appAccountToken: register.appAccountToken, buyerId: register.buyerId)
        case let set as ConsentSetV1:
            return ConsentV1(buyerId: set.buyerId, consumption: set.consumption)
        case is ReceiptSubmitV1: return ReceiptSubmittedV1.stored(receiptID)
        case let wait as VerdictWaitV1: return verdict(.granted, of: wait.receiptId)
        case let get as EntitlementsGetV1:
            let (buyer, environment, coins) = (get.buyerId, get.environment, ["coins": 120 as Int64])
            return EntitlementsV1(buyerId: buyer, environment: environment, balances: coins, entitlements: [])
        case let get as SubscriptionsGetV1:
            var subscription = SubscriptionsV1.Subscription(
                originalTransactionId: TransactionID(unchecked: "1"),
                productId: ProductID(unchecked: "vip.month"),
                state: .active,
                transactionId: TransactionID(unchecked: "2"),
                environment: get.environment
            )
            subscription.offer = SubscriptionsV1.Subscription.Offer(type: 1)
            return SubscriptionsV1(subscriptions: [subscription])
        case is WalletMoveV1, is SpendReverseV1: return WalletEntryV1(entryId: entryID, balance: 20)
        case is LedgerGetV1: return LedgerV1(entries: [], next: nil)
        case is PartitionStatusV1: return status(partition)
        default: throw Problem.unanswered
        }
    }

    static let orderID = OrderID(time: Timestamp(milliseconds: 1), shard: Shard(rawValue: 6), random: 7)
    static let entryID = "0123456789abcdef0123456789abcdef"
    static let receiptID = ReceiptID(
        signedSeconds: 0,
        shard: Shard(rawValue: 0x0103),
        place: Shard(rawValue: 0x0103),
        digest: Array(0..<16)
    )

    static func order(
        _ id: OrderID,
        _ issue: OrderIssueV1? = nil,
        state: OrderV1.State = .issued
    ) -> OrderV1 {
        var order = OrderV1(
            orderId: id,
            state: state,
            bundleId: TestGateway.bundle,
            buyerId: TestGateway.buyer,
            productId: ProductID(unchecked: "coins.100"),
            quantity: issue?.quantity ?? 1,
            environment: issue?.environment ?? .production,
            origin: .phone,
            createdAt: Timestamp(milliseconds: 1_000)
        )
        order.reference = issue?.reference
        order.metadata = issue?.metadata
        order.issuedBy = issue?.issuedBy
        return order
    }

    static func verdict(_ verdict: Verdict, of receipt: ReceiptID = receiptID) -> ReceiptVerdictV1 {
        let transaction = TransactionVerdict(
            transactionId: TransactionID(unchecked: "t1"),
            originalTransactionId: TransactionID(unchecked: "t1"),
            productId: ProductID(unchecked: "coins.100"),
            quantity: 1,
            environment: .production,
            orderId: orderID,
            verdict: verdict,
            grantedAt: verdict == .granted ? Timestamp(milliseconds: 1_760_000_000_000) : nil
        )
        return ReceiptVerdictV1(receiptId: receipt, verdict: verdict, transactions: [transaction])
    }

    static func status(_ partition: PartitionAddress) -> PartitionStatus {
        let age = Double(partition.partition) * 2.5
        return PartitionStatus(
            service: partition.service,
            partition: partition.partition,
            pid: 42,
            replica: 0,
            epoch: 3,
            outbox: 5,
            oldestUnsettledMs: 1_500,
            delayed: 0,
            parkedWork: 2,
            deadLetters: 1,
            quarantinedLinks: 0,
            gauges: partition.service == .orders
                ? [MetricsRoutes.paidUngranted: age, "counterfoil_orders_issued": 9] : [:],
            messages: [OrderIssueV1.type.rawValue: 5],
            messageMicroseconds: [OrderIssueV1.type.rawValue: 1_250],
            alarms: [AlarmKind.deadLetter.rawValue: 1],
            logPosition: nil
        )
    }
}
