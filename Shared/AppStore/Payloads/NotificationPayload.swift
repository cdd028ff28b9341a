package import Contracts

/// `responseBodyV2DecodedPayload`: an App Store Server Notification, every documented field.
///
/// It has exactly one of `data`, `summary`, `externalPurchaseToken` and `appData`. Types and subtypes are raw
/// values.
package struct NotificationPayload: Codable, Hashable, Sendable {
    package var notificationType: String?
    package var subtype: String?
    package var notificationUUID: String?
    package var version: String?
    package var signedDate: Milliseconds?
    /// About one purchase or subscription.
    package var data: Part?
    /// How a mass extension of renewal dates went.
    package var summary: Part?
    /// A purchase outside the App Store that is to be reported.
    package var externalPurchaseToken: Part?
    /// About the app on one account, as with `RESCIND_CONSENT`.
    package var appData: Part?

    /// What one of the four parts may say.
    package struct Part: Codable, Hashable, Sendable {
        package var environment: String?
        /// Absent from tests in the sandbox.
        package var appAppleId: Int64?
        package var bundleId: String?
        package var bundleVersion: String?
        /// A separate JWS, which the notification's signature does not cover.
        package var signedTransactionInfo: String?
        /// A separate JWS; absent for what does not renew.
        package var signedRenewalInfo: String?
        /// A separate JWS.
        package var signedAppTransactionInfo: String?
        /// 1: active, 2: expired, 3: billing retry, 4: grace period, 5: revoked.
        package var status: Int?
        /// Why a refund is asked for, with `CONSUMPTION_REQUEST`.
        package var consumptionRequestReason: String?

        package var productId: String?
        package var requestIdentifier: String?
        package var storefrontCountryCodes: [String]?
        package var succeededCount: Int64?
        package var failedCount: Int64?

        package var externalPurchaseId: String?
        package var tokenCreationDate: Milliseconds?
        package var tokenExpirationDate: Milliseconds?
        /// `SERVICES`, `ACQUISITION`, or newer.
        package var tokenType: String?
    }
}

extension NotificationPayload: SignedPayload {
    /// Notifications carry two more signed items in base64; Advanced Commerce makes them long.
    package static let maximumBytes = 128 * 1_024

    package var signingTime: Timestamp? { signedDate?.timestamp }

    /// The app that it is about; of an external purchase the id's beginning names the environment.
    package var origin: SignedOrigin {
        let part = data ?? summary ?? externalPurchaseToken ?? appData
        let external = part?.externalPurchaseId.map { $0.hasPrefix("SANDBOX") ? "Sandbox" : "Production" }
        return SignedOrigin(
            .notification,
            bundleId: part?.bundleId,
            appAppleId: part?.appAppleId,
            environment: part?.environment ?? external
        )
    }

    /// The JWS of `item`, if present.
    package func signed(_ item: SignedItem) -> String? {
        switch item {
        case .signedTransactionInfo: data?.signedTransactionInfo
        case .signedRenewalInfo: data?.signedRenewalInfo
        case .signedAppTransactionInfo: appData?.signedAppTransactionInfo
        }
    }
}
