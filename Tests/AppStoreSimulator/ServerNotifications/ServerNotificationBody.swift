import Contracts

/// What Apple signs as a notification: `responseBodyV2DecodedPayload`, with exactly one of its five parts.
struct ServerNotificationBody: Encodable, Sendable {
    struct Data: Encodable, Sendable {
        let environment: String
        var appAppleId: Int64?
        let bundleId: String
        var bundleVersion: String?
        var signedTransactionInfo: String?
        var signedRenewalInfo: String?
        var status: Int?
        var consumptionRequestReason: String?
    }

    let notificationType: String
    var subtype: String?
    let notificationUUID: String
    let version = "2.0"
    let signedDate: Timestamp
    var data: Data?
    var summary: JSONValue?
    var externalPurchaseToken: JSONValue?
    var appData: JSONValue?
    /// Seats that were given back; newer than the programs that are tested.
    var unclaimInfo: JSONValue?
}

struct StoreApp: Hashable, Sendable {
    let bundleId: String
    let environment: StoreEnvironment
}

extension Sale {
    /// The app that made it; nil in an environment that is not Apple's.
    var app: StoreApp? {
        StoreEnvironment(rawValue: transaction.environment).map {
            StoreApp(bundleId: transaction.bundleId, environment: $0)
        }
    }
}

extension SimulatedStore {
    /// Sends the notifications of changes; nothing to an app without an endpoint.
    func notify(
        _ changes: SaleChanges,
        _ quality: SignatureQuality
    ) async throws -> [ServerNotificationRecord] {
        var sent: [ServerNotificationRecord] = []
        for pending in changes.notifications {
            guard let sale = await sales.sale(pending.transactionId), let app = sale.app,
                await notifications.hasEndpoint(app)
            else { continue }
            var body = notification(pending.type, pending.subtype)
            body.data = try await data(of: sale, app, quality)
            body.data?.consumptionRequestReason = pending.consumptionRequestReason
            sent.append(try await publish(body, to: app, about: sale, quality))
        }
        return sent
    }

    func notification(_ type: String, _ subtype: String? = nil) -> ServerNotificationBody {
        ServerNotificationBody(
            notificationType: type,
            subtype: subtype,
            notificationUUID: chance.newUUID(),
            signedDate: now()
        )
    }

    func publish(
        _ body: ServerNotificationBody,
        to app: StoreApp,
        about sale: Sale? = nil,
        _ quality: SignatureQuality
    ) async throws -> ServerNotificationRecord {
        let record = ServerNotificationRecord(
            app: app,
            notificationUUID: body.notificationUUID,
            notificationType: body.notificationType,
            subtype: body.subtype,
            transactionId: sale?.id,
            originalTransactionId: sale?.transaction.originalTransactionId,
            signedPayload: try signed(payload: body, quality),
            signedDate: body.signedDate
        )
        await notifications.post(record)
        return record
    }

    /// `data` about a sale: the transaction and, of a subscription, its renewal and status.
    func data(
        of sale: Sale,
        _ app: StoreApp,
        _ quality: SignatureQuality
    ) async throws -> ServerNotificationBody.Data {
        var data = await emptyData(of: app)
        data.appAppleId = await apps.appAppleId(of: app.bundleId)
        data.signedTransactionInfo = try signed(sale, quality)
        if let (subscription, latest) = await sales.subscription(of: sale) {
            let renewal = subscription.renewalInfo(latest: latest.transaction, signedAt: now())
            data.signedRenewalInfo = try signed(payload: renewal, quality)
            data.status = subscription.status.rawValue
        }
        return data
    }

    /// `data` of a test: in the sandbox it does not have the app's number.
    func emptyData(of app: StoreApp) async -> ServerNotificationBody.Data {
        var data = ServerNotificationBody.Data(environment: app.environment.rawValue, bundleId: app.bundleId)
        data.bundleVersion = "1"
        if app.environment == .production { data.appAppleId = await apps.appAppleId(of: app.bundleId) }
        return data
    }
}
