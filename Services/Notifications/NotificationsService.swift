import Contracts
import Database
import Delivery
import Program

/// Sends verdicts to waiting phones, and what happens to entitlements to the apps' own servers.
struct NotificationsService: PartitionedService {
    static let name = ServiceName.notifications
    static let schema = NotificationsSchema.schema

    let endpoints: [BundleID: Configuration.Webhook]
    let poster: any WebhookPoster
    /// Whether `counterfoil listen` may read copies of webhooks.
    let isTestHome: Bool

    init(
        _ configuration: Configuration,
        isTestHome: Bool = false,
        poster: any WebhookPoster = HTTPWebhookPoster()
    ) {
        endpoints = configuration.apps.reduce(into: [:]) { $0[$1.bundleId] = $1.webhook }
        self.isTestHome = isTestHome
        self.poster = poster
    }

    /// Runs without endpoints too: one removed from the configuration leaves messages behind.
    var worker: (any OutsideWorker)? { WebhookWorker(endpoints: endpoints, poster: poster) }

    func register(in table: inout HandlerTable) {
        let subscribers = Subscribers(apps: Set(endpoints.keys), mayListen: isTestHome)
        table.on(ReceiptAcceptedV1.self, OnReceiptAccepted().callAsFunction)
        table.on(ReceiptExpiredV1.self, OnReceiptExpired().callAsFunction)
        table.on(ReceiptPurgedV1.self, OnReceiptPurged().callAsFunction)
        table.on(ClaimConflictedV1.self, OnClaimConflicted().callAsFunction)
        table.on(EntitlementChangedV1.self, OnEntitlementChanged(subscribers: subscribers).callAsFunction)
        table.on(HoldingChangedV1.self, OnHoldingChanged(subscribers: subscribers).callAsFunction)
        table.on(ConsentRescindedV1.self, OnConsentRescinded(subscribers: subscribers).callAsFunction)
        table.on(
            ExternalPurchaseNotifiedV1.self,
            OnExternalPurchaseNotified(subscribers: subscribers).callAsFunction
        )
        table.on(request: VerdictWaitV1.self, OnVerdictWait().callAsFunction)
        table.on(request: FactsFindV1.self, OnFactsFind().callAsFunction)
        table.on(request: DeskListV1.self, OnDeskList().callAsFunction)
        table.on(
            request: WebhooksListenV1.self,
            OnWebhooksListen(subscribers: subscribers).callAsFunction
        )
    }

    func trace(_ identifiers: Set<String>, in connection: any Connection) throws -> Trace {
        try NotificationsTrace(connection: connection).read(identifiers)
    }

    func gauges(in connection: any Connection, now: Timestamp) throws -> [String: Double] {
        let webhooks = try WebhookStore(connection: connection).undelivered()
        return [
            "counterfoil_webhooks_undelivered": Double(webhooks.count),
            "counterfoil_webhooks_undelivered_oldest_seconds": now.seconds(since: webhooks.oldest),
            "counterfoil_webhooks_alarmed": Double(webhooks.alarmed),
        ]
    }

    /// Sends nothing: whatever is not answered is asked again.
    func redrive(
        to target: PartitionAddress,
        after key: [String],
        in context: HandlerContext
    ) throws -> RedrivePage { .none }
}
