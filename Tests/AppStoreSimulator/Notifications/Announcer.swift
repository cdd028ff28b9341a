import Contracts
import Foundation

/// Tells the apps' servers what happened: signs the notifications and hands them to the desk.
struct Announcer: Sendable {
    /// A notification that was sent, as the control interface tells of it.
    struct Told: Encodable, Sendable {
        let notificationUUID: String
        let notificationType: String
        let subtype: String?
        let transactionId: String?
        let signedPayload: String
    }

    let store: SimulatedStore

    /// Sends what there is to tell of an event; nothing to an app without an endpoint.
    func tell(_ happening: Happening, _ quality: SignatureQuality) async throws -> [Told] {
        var told: [Told] = []
        for notice in happening.notices {
            guard let sale = await store.register.sale(notice.transactionId),
                let environment = StoreEnvironment(rawValue: sale.transaction.environment)
            else { continue }
            let app = App(bundleId: sale.transaction.bundleId, environment: environment)
            guard await hasEndpoint(app) else { continue }
            var statement = statement(notice.type, notice.subtype)
            statement.data = try await payment(sale, app, notice, quality)
            told.append(try await post(statement, app, about: sale, quality))
        }
        return told
    }

    /// An app in one of the environments.
    struct App: Sendable {
        let bundleId: String
        let environment: StoreEnvironment
    }

    /// Whether Apple would send an app anything.
    func hasEndpoint(_ app: App) async -> Bool {
        await store.desk.hasEndpoint(bundleId: app.bundleId, environment: app.environment)
    }

    /// A notification of this kind with nothing in it yet.
    func statement(_ type: String, _ subtype: String? = nil) -> NotificationStatement {
        NotificationStatement(
            notificationType: type,
            subtype: subtype,
            notificationUUID: store.chance.newUUID(),
            signedDate: store.now()
        )
    }

    /// Signs a notification and takes it for delivery.
    func post(
        _ statement: NotificationStatement,
        _ app: App,
        about sale: Sale? = nil,
        _ quality: SignatureQuality
    ) async throws -> Told {
        let signed = try store.signed(statement: statement, quality)
        let ids = sale.map { [$0.id, $0.transaction.originalTransactionId] } ?? []
        await store.desk.post(
            NotificationRecord(
                uuid: statement.notificationUUID,
                bundleId: app.bundleId,
                environment: app.environment,
                type: statement.notificationType,
                subtype: statement.subtype,
                transactionIds: Set(ids),
                signedPayload: signed,
                signedDate: statement.signedDate
            )
        )
        return Told(
            notificationUUID: statement.notificationUUID,
            notificationType: statement.notificationType,
            subtype: statement.subtype,
            transactionId: sale?.id,
            signedPayload: signed
        )
    }

    /// `data` about a sale: the transaction and, of a subscription, its renewal and status.
    func payment(
        _ sale: Sale,
        _ app: App,
        _ notice: Notice,
        _ quality: SignatureQuality
    ) async throws -> NotificationStatement.Payment {
        var payment = await emptyPayment(app)
        payment.appAppleId = await store.apps.appAppleId(of: app.bundleId)
        payment.signedTransactionInfo = try store.signed(sale, quality)
        payment.consumptionRequestReason = notice.consumptionRequestReason
        if let (subscription, latest) = await store.register.subscription(of: sale) {
            let renewal = RenewalStatement(subscription, latest: latest.transaction, signedAt: store.now())
            payment.signedRenewalInfo = try store.signed(statement: renewal, quality)
            payment.status = subscription.standing.rawValue
        }
        return payment
    }

    /// `data` of a test: in the sandbox it does not say the app's number.
    func emptyPayment(_ app: App) async -> NotificationStatement.Payment {
        var payment = NotificationStatement.Payment(
            environment: app.environment.rawValue,
            bundleId: app.bundleId
        )
        payment.bundleVersion = "1"
        if app.environment == .production {
            payment.appAppleId = await store.apps.appAppleId(of: app.bundleId)
        }
        return payment
    }
}
