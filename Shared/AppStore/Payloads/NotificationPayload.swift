package import Contracts

/// What an App Store Server Notification says: `responseBodyV2DecodedPayload`, every documented field.
///
/// Exactly one of `data`, `summary`, `externalPurchaseToken` and `appData` is there. Types and subtypes keep
/// their raw value, known or not.
package struct NotificationPayload: Codable, Hashable, Sendable {
    package var notificationType: String?
    package var subtype: String?
    package var notificationUUID: String?
    package var version: String?
    package var signedDate: Milliseconds?
    package var data: NotificationData?
    package var summary: NotificationSummary?
    package var externalPurchaseToken: ExternalPurchaseToken?
    package var appData: NotificationAppData?
}

extension NotificationPayload: SignedPayload {
    /// A notification carries two other signed items, each base64-ed once more; Advanced Commerce makes them long.
    package static let maximumBytes = 128 * 1_024

    /// The notification's `signedDate`.
    package var signingTime: Timestamp? { signedDate?.timestamp }
    /// The environment that its one part names.
    package var signingEnvironment: Environment? { origin.environment }

    /// The app that it is about, as its one part says.
    package var origin: SignedOrigin {
        data?.origin ?? summary?.origin ?? externalPurchaseToken?.origin ?? appData?.origin
            ?? SignedOrigin(.notification)
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
