import Contracts

/// What Apple signs about the download of an app: `AppTransaction`.
struct AppTransaction: Encodable {
    let receiptType: String
    let appAppleId: Int64?
    let bundleId: String
    let applicationVersion = "1.0"
    let versionExternalIdentifier: Int64?
    let receiptCreationDate: Int64
    let originalPurchaseDate: Int64
    let originalApplicationVersion = "1.0"
    let originalPlatform = "iOS"
    let appTransactionId: String

    /// The app as the buyer of a sale has it; the sandbox knows no version ids.
    init(_ sale: Sale, appAppleId: Int64, signedAt now: Timestamp) {
        let isProduction = sale.transaction.environment == StoreEnvironment.production.rawValue
        receiptType = sale.transaction.environment
        self.appAppleId = isProduction ? appAppleId : nil
        bundleId = sale.transaction.bundleId
        versionExternalIdentifier = isProduction ? 850_000_001 : nil
        receiptCreationDate = now.milliseconds
        originalPurchaseDate = sale.transaction.originalPurchaseDate ?? sale.transaction.purchaseDate
        appTransactionId = sale.account
    }
}
