import Contracts

extension ExternalPurchaseNotifiedV1 {
    /// Nil where a name is missing, or longer than Apple's are.
    init?(_ purchase: ExternalPurchaseFacts, of notification: ServerNotification) {
        guard let app = notification.bundleId.flatMap(BundleID.init(rawValue:)),
            let environment = notification.environment,
            let token = purchase.externalPurchaseId, token.isAppleName,
            purchase.tokenType?.isAppleName != false, notification.subtype?.isAppleName != false
        else { return nil }
        self.init(
            bundleId: app,
            environment: environment,
            notificationUUID: notification.notificationUUID,
            notifiedAt: notification.signedDate,
            subtype: notification.subtype,
            externalPurchaseId: token,
            tokenType: purchase.tokenType,
            tokenCreationDate: purchase.tokenCreationDate,
            tokenExpirationDate: purchase.tokenExpirationDate
        )
    }
}
