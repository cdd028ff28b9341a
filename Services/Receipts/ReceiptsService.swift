import Contracts
import Database
import Delivery
import ReceiptsCore

/// Apple's facts: submissions with their proofs, and transactions with their claims.
struct ReceiptsService: PartitionedService {
    static let name = ServiceName.receipts
    static let links: [ServiceName: LinkKind] = [
        .receipts: .forward, .orders: .forward, .notifications: .forward,
    ]
    static let schema = ReceiptsSchema.schema

    let road: SubmissionRoad
    let notifications: NotificationRoad

    init(_ configuration: ReceiptsConfiguration) {
        self.init(
            reader: AppStoreProofReader(extraRoots: configuration.extraRoots),
            notices: AppStoreNoticeReader(extraRoots: configuration.extraRoots),
            policies: configuration.policies
        )
    }

    init(
        reader: any ProofReader,
        notices: any NoticeReader = AppStoreNoticeReader(extraRoots: []),
        policies: [BundleID: AppPolicy]
    ) {
        road = SubmissionRoad(reader: reader, policies: policies)
        notifications = NotificationRoad(reader: notices, policies: policies)
    }

    func register(in table: inout HandlerTable) {
        table.on(request: ReceiptSubmitV1.self, OnReceiptSubmit(road: road).callAsFunction)
        table.on(
            request: ReceiptRetryV1.self,
            OnReceiptRetry(road: road, notifications: notifications).callAsFunction
        )
        table.on(
            request: NotificationDeliverV1.self,
            OnNotificationDeliver(road: notifications).callAsFunction
        )
        table.on(TransactionVerifiedV1.self, OnTransactionVerified().callAsFunction)
        table.on(ClaimHeldV1.self, OnClaimHeld().callAsFunction)
        table.on(ClaimHeldV2.self, OnClaimHeld().callAsFunction)
        table.on(ClaimRefusedV1.self, OnClaimRefused().callAsFunction)
    }

    func gauges(in connection: any Connection, now: Timestamp) throws -> [String: Double] {
        let orphans = try ClaimStore(connection: connection).orphans()
        let age = orphans.oldest.map { Double(now.milliseconds - $0.milliseconds) / 1_000 } ?? 0
        let counts = try NotificationStore(connection: connection).counts()
        return [
            "counterfoil_notifications_parked": Double(counts.parked),
            "counterfoil_notifications_unknown": Double(counts.unknown),
            "counterfoil_receipts_parked": Double(try SubmissionStore(connection: connection).parkedCount()),
            "counterfoil_transactions_orphaned": Double(orphans.count),
            "counterfoil_transactions_orphaned_oldest_seconds": age,
        ]
    }
}
