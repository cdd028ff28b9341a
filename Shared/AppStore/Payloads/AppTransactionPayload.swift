package import Contracts

/// StoreKit's `AppTransaction`; `receiptCreationDate` and `receiptType` replace `signedDate` and
/// `environment`.
package struct AppTransactionPayload: Codable, Hashable, Sendable {
    /// `Production`, `Sandbox`, `Xcode`, `LocalTesting`, or newer.
    package var receiptType: String?
    package var appAppleId: Int64?
    package var bundleId: String?
    package var applicationVersion: String?
    package var versionExternalIdentifier: Int64?
    package var receiptCreationDate: Milliseconds?
    package var originalPurchaseDate: Milliseconds?
    package var originalApplicationVersion: String?
    package var preorderDate: Milliseconds?
    /// One value per Apple Account and app, and for each member of a family.
    package var appTransactionId: String?
    /// `iOS`, `macOS`, `tvOS`, `visionOS`, or newer.
    package var originalPlatform: String?
    package var deviceVerification: String?
    package var deviceVerificationNonce: String?
}

extension AppTransactionPayload: SignedPayload {
    package var signingTime: Timestamp? { receiptCreationDate?.timestamp }

    /// The app itself.
    package var origin: SignedOrigin {
        SignedOrigin(.appTransaction, bundleId: bundleId, appAppleId: appAppleId, environment: receiptType)
    }
}
