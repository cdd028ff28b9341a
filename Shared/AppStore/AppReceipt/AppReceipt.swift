package import Contracts

/// The app receipt of iOS 7 and later, by Apple's field numbers; consumables are listed until the app
/// finishes them.
package struct AppReceipt: Hashable, Sendable {
    /// 0: `Production`, `ProductionVPP`, `ProductionSandbox`, `ProductionVPPSandbox`, `Xcode`, or newer.
    package var receiptType: String
    /// 2.
    package var bundleId: String
    /// 3: the version of the app that holds the receipt.
    package var applicationVersion: String
    /// 12: the moment of Apple's signature.
    package var creationDate: Timestamp
    /// 17, in the receipt's order.
    package var inApp: [InAppPurchase] = []
    /// The number of rows that cannot be read; the others count.
    package var unreadableRows = 0

    /// 1: the app's number in the App Store; 0 in the sandbox.
    package var adamId: Int64?
    /// 15.
    package var downloadId: Int64?
    /// 16.
    package var versionExternalIdentifier: Int64?
    /// 18: when the app itself was bought.
    package var originalPurchaseDate: Timestamp?
    /// 19: the version of the app that was bought first.
    package var originalApplicationVersion: String?
    /// 21: the end of an organisation's licence.
    package var expirationDate: Timestamp?

    /// 5: SHA-1 over the device's id, 4 and 2.
    var deviceHash: [UInt8]?
    /// 4.
    var opaqueValue: [UInt8] = []
    /// 2 as encoded, type and length included.
    var bundleIdValue: [UInt8] = []
    /// Every other field: 6 to 11, 13, 14, 20, 25, or newer.
    package var otherAttributes: [ReceiptAttribute] = []

    /// The environment that `receiptType` names.
    package var environment: Environment {
        switch receiptType {
        case "Production", "ProductionVPP": .production
        case "ProductionSandbox", "ProductionVPPSandbox", "Sandbox": .sandbox
        default: Environment(rawValue: receiptType)
        }
    }

    /// The app and environment; the sandbox has 0 for the app's number.
    package var origin: SignedOrigin {
        SignedOrigin(
            .appTransaction,
            bundleId: bundleId,
            appAppleId: adamId == 0 ? nil : adamId,
            environment: environment.rawValue
        )
    }
}

extension AppReceipt {
    /// Decodes a receipt to show it, without checking its signature.
    ///
    /// - Throws: `tooLarge`, `malformed`.
    package init(unverified receipt: [UInt8]) throws(VerificationFailure) {
        try self.init(content: ReceiptEnvelope(receipt).content)
    }

    init(content: ArraySlice<UInt8>) throws(VerificationFailure) {
        let claims = try UnverifiedReceiptClaims(content)
        guard let receiptType = claims.receiptType, let bundleId = claims.bundleId,
            let creationDate = claims.creationDate
        else {
            throw VerificationFailure(.malformed, "a receipt without type, bundle id or creation date")
        }
        self.init(
            receiptType: receiptType,
            bundleId: bundleId,
            applicationVersion: "",
            creationDate: creationDate
        )
        var fields = try ReceiptFields(content)
        while let field = try fields.next() {
            try decode(field)
        }
    }

    private mutating func decode(_ field: ReceiptField) throws(VerificationFailure) {
        switch field.type {
        case 0, 12: break
        case 1: adamId = try field.integer()
        case 2: bundleIdValue = Array(field.value)
        case 3: applicationVersion = try field.text()
        case 4: opaqueValue = Array(field.value)
        case 5: deviceHash = Array(field.value)
        case 15: downloadId = try field.integer()
        case 16: versionExternalIdentifier = try field.integer()
        case 17: decodeRow(field)
        case 18: originalPurchaseDate = try field.date()
        case 19: originalApplicationVersion = try field.textUnlessEmpty()
        case 21: expirationDate = try field.date()
        default: otherAttributes.append(field.attribute)
        }
    }

    private mutating func decodeRow(_ field: ReceiptField) {
        do throws(VerificationFailure) {
            inApp.append(try InAppPurchase(field.value))
        } catch {
            unreadableRows += 1
        }
    }
}
