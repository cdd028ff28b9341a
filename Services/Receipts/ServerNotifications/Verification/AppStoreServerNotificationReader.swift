import AppStore
import Contracts

/// Verifies notifications against Apple's root, as `AppStore` does.
struct AppStoreServerNotificationReader: ServerNotificationReader {
    let verifier: ServerNotificationVerifier

    func notification(
        in signedPayload: String,
        now: Timestamp
    ) throws(ServerNotificationFailure) -> ServerNotification {
        do {
            return ServerNotification(try verifier.verify(signedPayload, now: now))
        } catch {
            throw ServerNotificationFailure(ProofFailure(error.reason), isInside: error.item != nil)
        }
    }
}

extension ServerNotification {
    fileprivate init(_ notification: VerifiedServerNotification) {
        self.init(
            notificationUUID: notification.notificationUUID,
            type: notification.type,
            subtype: notification.subtype,
            bundleId: notification.bundleId,
            appAppleId: notification.appAppleId,
            environment: notification.environment,
            transaction: notification.transaction,
            renewal: RenewalFacts(
                notification.renewalInfo,
                of: notification.transaction,
                now: notification.signedDate
            ),
            status: notification.payload.data?.status,
            appTransaction: notification.appTransaction.map {
                AppTransactionFacts(
                    bundleId: $0.bundleId,
                    environment: $0.origin.environment,
                    appTransactionId: $0.appTransactionId
                )
            },
            externalPurchase: notification.payload.externalPurchaseToken.map {
                ExternalPurchaseFacts(
                    externalPurchaseId: $0.externalPurchaseId,
                    tokenType: $0.tokenType,
                    tokenCreationDate: $0.tokenCreationDate?.timestamp,
                    tokenExpirationDate: $0.tokenExpirationDate?.timestamp
                )
            },
            unknownPart: notification.payload.unknownPart?.name,
            signedDate: notification.signedDate
        )
    }
}
