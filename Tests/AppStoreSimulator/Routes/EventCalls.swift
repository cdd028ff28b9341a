import Contracts
import Hummingbird

extension StoreCall {
    /// `POST /_control/events`: what happens to purchases after they were made.
    func event() async throws -> Response {
        let wanted: EventRequest = try await body()
        switch wanted.event {
        case .notification: return try .json(["notifications": [await send(wanted)]])
        case .rescindConsent: return try .json(["notifications": await rescindConsent(wanted)])
        default:
            return try .json(await SalesAnswer(changes(wanted), of: self, silent: wanted.notify == false))
        }
    }

    private func changes(_ wanted: EventRequest) async throws -> SaleChanges {
        if [.approve, .decline].contains(wanted.event) {
            let id = try wanted.required(wanted.pendingId, "pendingId")
            return try await store.sales.answer(id, isApproved: wanted.event == .approve, at: now)
        }
        let id = try wanted.required(wanted.transactionId, "transactionId")
        if let event = try wanted.purchaseEvent() {
            return try await store.sales.perform(event, on: id, at: now)
        }
        if let event = try wanted.subscriptionEvent() {
            return try await store.sales.perform(event, on: id, at: now)
        }
        switch wanted.event {
        case .share:
            let account = try wanted.required(wanted.account, "account")
            return try await store.sales.share(id, with: account, at: now)
        case .assign:
            let account = try wanted.required(wanted.account, "account")
            return try await store.sales.assign(id, to: account, at: now)
        case .restore: return try await store.sales.restore(id, at: now)
        case .finish: return try await store.sales.finish(id, at: now)
        case .deleteAccount:
            await store.apps.delete(account: try await sale(id).account)
            return SaleChanges()
        default: throw Problem("event \(wanted.event) cannot happen to a transaction")
        }
    }

    /// A parent withdraws consent: the app's server is told which account that is.
    private func rescindConsent(_ wanted: EventRequest) async throws -> [ServerNotificationRecord] {
        let sale = try await sale(wanted.required(wanted.transactionId, "transactionId"))
        guard let app = sale.app, await store.notifications.hasEndpoint(app) else { return [] }
        let appAppleId = await store.apps.appAppleId(of: app.bundleId)
        let download = sale.appTransaction(appAppleId: appAppleId, signedAt: now)
        var body = store.notification("RESCIND_CONSENT")
        body.appData = .object([
            "appAppleId": .integer(appAppleId),
            "bundleId": .string(app.bundleId),
            "environment": .string(app.environment.rawValue),
            "signedAppTransactionInfo": .string(try store.signed(payload: download, quality)),
        ])
        return [try await store.publish(body, to: app, about: sale, quality)]
    }

    /// A notification of any type, known or not, with the parts of the request.
    private func send(_ wanted: EventRequest) async throws -> ServerNotificationRecord {
        var sale: Sale?
        if let id = wanted.transactionId { sale = try await self.sale(id) }
        let app =
            try sale?.app
            ?? StoreApp(
                bundleId: wanted.required(sale?.transaction.bundleId ?? wanted.bundleId, "bundleId"),
                environment: wanted.environment ?? .production
            )
        guard await store.notifications.hasEndpoint(app) else {
            throw Problem(.conflict, "the app has no endpoint; see /_control/server-notifications")
        }
        let type = try wanted.required(wanted.notificationType, "notificationType")
        var body = store.notification(type, wanted.subtype)
        body.summary = wanted.summary
        body.externalPurchaseToken = wanted.externalPurchaseToken
        body.appData = wanted.appData
        body.unclaimInfo = wanted.unclaimInfo
        let parts = [wanted.summary, wanted.externalPurchaseToken, wanted.appData, wanted.unclaimInfo]
        if let sale {
            body.data = try await store.data(of: sale, app, quality)
        } else if parts.allSatisfy({ $0 == nil }) {
            body.data = await store.emptyData(of: app)
        }
        return try await store.publish(body, to: app, about: sale, quality)
    }
}
