package import Contracts

/// What an App Store Server Notification says: `responseBodyV2DecodedPayload`, every documented field.
///
/// Exactly one of `data`, `summary`, `externalPurchaseToken` and `appData` is there. Types and subtypes have their raw
/// value, known or not.
package struct NotificationPayload: Codable, Hashable, Sendable {
    package var notificationType: String?
    package var subtype: String?
    package var notificationUUID: String?
    package var version: String?
    package var signedDate: Milliseconds?
    package var data: Data?
    package var summary: Summary?
    package var externalPurchaseToken: ExternalPurchaseToken?
    package var appData: AppData?

    /// `data`: it is about one purchase or subscription.
    package struct Data: Codable, Hashable, Sendable, NotificationPart {
        package var environment: String?
        /// Absent from tests in the sandbox.
        package var appAppleId: Int64?
        package var bundleId: String?
        package var bundleVersion: String?
        /// A JWS of its own, which the notification's signature does not cover.
        package var signedTransactionInfo: String?
        /// A JWS of its own; absent for what does not renew.
        package var signedRenewalInfo: String?
        /// 1: active, 2: expired, 3: billing retry, 4: grace period, 5: revoked.
        package var status: Int?
        /// Why a refund is asked for, with `CONSUMPTION_REQUEST`.
        package var consumptionRequestReason: String?
    }

    /// `summary`: how a mass extension of renewal dates went.
    package struct Summary: Codable, Hashable, Sendable, NotificationPart {
        package var environment: String?
        package var appAppleId: Int64?
        package var bundleId: String?
        package var productId: String?
        package var requestIdentifier: String?
        package var storefrontCountryCodes: [String]?
        package var succeededCount: Int64?
        package var failedCount: Int64?
    }

    /// `externalPurchaseToken`: a purchase outside the App Store that is to be reported.
    package struct ExternalPurchaseToken: Codable, Hashable, Sendable, NotificationPart {
        package var externalPurchaseId: String?
        package var tokenCreationDate: Milliseconds?
        package var tokenExpirationDate: Milliseconds?
        /// `SERVICES`, `ACQUISITION`, or newer.
        package var tokenType: String?
        package var appAppleId: Int64?
        package var bundleId: String?

        /// It names no environment; the beginning of its id does.
        var environment: String? {
            externalPurchaseId.map { $0.hasPrefix("SANDBOX") ? "Sandbox" : "Production" }
        }
    }

    /// `appData`: it is about the app on one account, as with `RESCIND_CONSENT`.
    package struct AppData: Codable, Hashable, Sendable, NotificationPart {
        package var environment: String?
        package var appAppleId: Int64?
        package var bundleId: String?
        /// A JWS of its own, which the notification's signature does not cover.
        package var signedAppTransactionInfo: String?
    }
}

/// What every part of a notification says of its app.
private protocol NotificationPart {
    var environment: String? { get }
    var appAppleId: Int64? { get }
    var bundleId: String? { get }
}

extension NotificationPayload: SignedPayload {
    /// A notification carries two other signed items, each base64-ed once more; Advanced Commerce makes them long.
    package static let maximumBytes = 128 * 1_024

    package var signingTime: Timestamp? { signedDate?.timestamp }

    /// The app that it is about, as its one part says.
    package var origin: SignedOrigin {
        let part: (any NotificationPart)? = data ?? summary ?? externalPurchaseToken ?? appData
        return SignedOrigin(
            .notification,
            bundleId: part?.bundleId,
            appAppleId: part?.appAppleId,
            environment: part?.environment
        )
    }

    /// The JWS that it carries as `item`, where there is one.
    package func signed(_ item: SignedItem) -> String? {
        switch item {
        case .signedTransactionInfo: data?.signedTransactionInfo
        case .signedRenewalInfo: data?.signedRenewalInfo
        case .signedAppTransactionInfo: appData?.signedAppTransactionInfo
        }
    }
}
