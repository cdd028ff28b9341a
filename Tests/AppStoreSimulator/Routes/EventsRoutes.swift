import Contracts
import HTTPTypes
import Hummingbird

/// `/_control/events`: what happens to purchases after they were made.
struct EventsRoutes: Sendable {
    let store: SimulatedStore

    func add(to control: RouterGroup<SimulatorContext>) {
        control.post("events", use: happen)
    }

    @Sendable private func happen(_ request: Request, _ context: SimulatorContext) async throws -> Response {
        let wanted: LifeEventRequest = try await JSONBody.read(request)
        if wanted.event == .notification {
            return try .json(["notifications": [await send(wanted, context.signature)]])
        }
        if wanted.event == .rescindConsent {
            return try .json(["notifications": await rescind(wanted, context.signature)])
        }
        return try .json(
            await SalesAnswer(
                happening(wanted),
                of: store,
                context.signature,
                silent: wanted.notify == false
            )
        )
    }

    private func happening(_ wanted: LifeEventRequest) async throws -> Happening {
        let now = store.now()
        if [.approve, .decline].contains(wanted.event) {
            let id = try wanted.required(wanted.pendingId, "pendingId")
            return try await store.register.answer(id, isApproved: wanted.event == .approve, at: now)
        }
        let id = try wanted.required(wanted.transactionId, "transactionId")
        if let event = try wanted.purchaseEvent() {
            return try await store.register.perform(event, on: id, at: now)
        }
        if let event = try wanted.subscriptionEvent() {
            return try await store.register.perform(event, on: id, at: now)
        }
        switch wanted.event {
        case .share:
            let account = try wanted.required(wanted.account, "account")
            return try await store.register.share(id, with: account, at: now)
        case .restore: return try await store.register.restore(id, at: now)
        case .finish: return try await store.register.finish(id, at: now)
        case .deleteAccount:
            await store.apps.delete(account: try await sale(id).account)
            return Happening()
        default: throw Problem("event \(wanted.event) cannot happen to a transaction")
        }
    }

    private func sale(_ id: String) async throws -> Sale {
        guard let sale = await store.register.sale(id) else { throw UnknownTransaction() }
        return sale
    }

    /// A parent withdraws consent: the app's server is told which account that is.
    private func rescind(
        _ wanted: LifeEventRequest,
        _ quality: SignatureQuality
    ) async throws -> [Announcer.Told] {
        let sale = try await sale(wanted.required(wanted.transactionId, "transactionId"))
        guard let environment = StoreEnvironment(rawValue: sale.transaction.environment) else { return [] }
        let app = Announcer.App(bundleId: sale.transaction.bundleId, environment: environment)
        let announcer = Announcer(store: store)
        guard await announcer.hasEndpoint(app) else { return [] }
        let appAppleId = await store.apps.appAppleId(of: app.bundleId)
        let download = AppTransactionStatement(sale, appAppleId: appAppleId, signedAt: store.now())
        var statement = announcer.statement("RESCIND_CONSENT")
        statement.appData = .object([
            "appAppleId": .integer(appAppleId),
            "bundleId": .string(app.bundleId),
            "environment": .string(environment.rawValue),
            "signedAppTransactionInfo": .string(try store.signed(statement: download, quality)),
        ])
        return [try await announcer.post(statement, app, about: sale, quality)]
    }

    /// A notification of any type, known or not, with what the request says in it.
    private func send(
        _ wanted: LifeEventRequest,
        _ quality: SignatureQuality
    ) async throws -> Announcer.Told {
        var sale: Sale?
        if let id = wanted.transactionId { sale = try await self.sale(id) }
        let ofSale = sale.flatMap { StoreEnvironment(rawValue: $0.transaction.environment) }
        let app = Announcer.App(
            bundleId: try wanted.required(sale?.transaction.bundleId ?? wanted.bundleId, "bundleId"),
            environment: ofSale ?? wanted.environment ?? .production
        )
        let announcer = Announcer(store: store)
        guard await announcer.hasEndpoint(app) else {
            throw Problem(.conflict, "the app has no endpoint; see /_control/notifications")
        }
        let type = try wanted.required(wanted.notificationType, "notificationType")
        var statement = announcer.statement(type, wanted.subtype)
        statement.summary = wanted.summary
        statement.externalPurchaseToken = wanted.externalPurchaseToken
        statement.appData = wanted.appData
        if let sale {
            let notice = Notice(type, wanted.subtype, of: sale.id)
            statement.data = try await announcer.payment(sale, app, notice, quality)
        } else if [wanted.summary, wanted.externalPurchaseToken, wanted.appData].allSatisfy({ $0 == nil }) {
            statement.data = await announcer.emptyPayment(app)
        }
        return try await announcer.post(statement, app, about: sale, quality)
    }
}
