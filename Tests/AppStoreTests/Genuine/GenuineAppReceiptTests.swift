import AppStore
import Contracts
import TestKit
import Testing

@Suite(.enabled(if: Vectors.areThere, "no vectors"))
struct `receipts of Apple's and others' making` {
    let apple = AppReceiptVerifier()

    @Test func `signed by Apple itself is genuine on the day it was made, and not now`() throws {
        let bytes = try ReceiptVectors.genuine()
        let receipt = try apple.verify(bytes)
        #expect(receipt.bundleId == "dev.bonzer.weeka.app")
        #expect(receipt.applicationVersion == "2")
        #expect(receipt.originalApplicationVersion == "1.0")
        #expect(receipt.receiptType == "ProductionSandbox")
        #expect(receipt.environment == .sandbox)
        #expect(receipt.creationDate.rfc3339 == "2025-12-26T18:39:47.000Z")
        #expect(receipt.originalPurchaseDate?.rfc3339 == "2013-08-01T07:00:00.000Z")
        #expect(receipt.adamId == 0 && receipt.downloadId == 0 && receipt.versionExternalIdentifier == 0)
        #expect(receipt.expirationDate == nil)
        #expect(receipt.otherAttributes.map(\.type).sorted() == [6, 7, 8, 9, 10, 11, 13, 14, 20, 25])
        let later = Timestamp(milliseconds: 1_800_000_000_000)
        #expect(reason { try apple.verify(bytes, at: later) } == .expiredCertificate)
    }

    @Test func `signed by Apple itself holds every field of its purchases`() throws {
        let purchases = try apple.verify(ReceiptVectors.genuine()).inApp
        #expect(purchases.map(\.transactionId) == ["2000001092134138", "2000001092148094"])
        let renewal = try #require(purchases.last)
        #expect(renewal.originalTransactionId == "2000001092134138")
        #expect(renewal.productId == "dev.bonzer.weeka.app.subscription.pro.annual")
        #expect(renewal.quantity == 1)
        #expect(renewal.productType == 3 && renewal.type == "Auto-Renewable Subscription")
        #expect(renewal.purchaseDate.rfc3339 == "2025-12-26T18:19:07.000Z")
        #expect(renewal.originalPurchaseDate?.rfc3339 == "2025-12-26T17:43:07.000Z")
        #expect(renewal.expiresDate?.rfc3339 == "2025-12-26T18:55:07.000Z")
        #expect(renewal.cancellationDate == nil && renewal.promotionalOfferId == nil)
        #expect(renewal.webOrderLineItemId == 2_000_000_123_357_230)
        #expect(renewal.itemId == 0)
        #expect(renewal.isTrialPeriod == false && renewal.isInIntroOfferPeriod == false)
        #expect(renewal.otherAttributes.map(\.type) == [1709, 1714, 1715, 1716, 1717, 1718, 1722])
    }

    @Test(arguments: ["956328D9-CC6A-47F4-BE40-6953FB0AB6C7", "956328d9cc6a47f4be406953fb0ab6c7"])
    func `signed by Apple itself is this device's`(deviceID: String) throws {
        _ = try apple.verify(ReceiptVectors.genuine(), deviceID: deviceID)
    }

    @Test(arguments: ["956328D9-CC6A-47F4-BE40-6953FB0AB6C8", "F0:18:98:00:00:01", "my phone", ""])
    func `signed by Apple itself is kept for the right device`(deviceID: String) throws {
        let bytes = try ReceiptVectors.genuine()
        #expect(reason { try apple.verify(bytes, deviceID: deviceID) } == .wrongApp)
    }

    @Test func `signed by Apple itself cut off anywhere is malformed`() throws {
        try apple.expectCutsAreMalformed(ReceiptVectors.genuine())
    }

    @Test func `signed by Apple itself with a changed byte says the same or is refused`() throws {
        try apple.expectChangedBytesAreRefused(ReceiptVectors.genuine())
    }

    @Test(arguments: ["xcode-app-receipt-empty", "xcode-app-receipt-with-transaction"])
    func `made by Xcode prove nothing, and are shown to a developer`(name: String) throws {
        let bytes = try ReceiptVectors.bytes("apple-mock/xcode/\(name)")
        #expect(reason { try apple.verify(bytes) } == .unsigned)
        let receipt = try AppReceipt(unverified: bytes)
        #expect(receipt.environment == .xcode)
        #expect(receipt.bundleId == "com.example.naturelab.backyardbirds.example")
        #expect(receipt.applicationVersion == "1")
        #expect(receipt.expirationDate?.rfc3339 == "4001-01-01T00:00:00.000Z")
        let ids = name.hasSuffix("empty") ? [] : ["0"]
        #expect(receipt.inApp.map(\.transactionId) == ids)
    }

    @Test func `made by Xcode are unsigned even where its certificate is a trusted root`() throws {
        let bytes = try ReceiptVectors.bytes("apple-mock/xcode/xcode-app-receipt-empty")
        let root = Array(bytes[292..<1_180])
        #expect(reason { try AppReceiptVerifier(extraRoots: [root]).verify(bytes) } == .unsigned)
    }

    @Test func `name the transactions that Apple may be asked about`() throws {
        let purchases = try AppReceipt(unverified: ReceiptVectors.genuine()).inApp
        #expect(purchases.map(\.transactionId) == ["2000001092134138", "2000001092148094"])
    }

    @Test func `of iOS 6 name their transaction`() throws {
        let text = String(decoding: try Vectors.bytes("apple-mock/jws/legacyTransaction"), as: UTF8.self)
        #expect(TransactionReceipt.transactionID(in: text) == "33993399")
    }

    @Test(arguments: ["transactionInfo", "legacyTransaction", "testNotification"])
    func `are nothing else`(name: String) throws {
        let bytes = try Vectors.bytes("apple-mock/jws/\(name)")
        #expect(reason { try apple.verify(bytes) } == .malformed)
    }
}

/// Receipts among the vectors.
enum ReceiptVectors {
    /// Signed by Apple, of the sandbox.
    static func genuine() throws -> [UInt8] { try bytes("apple-real/app-receipt-sandbox-g5.b64") }

    static func bytes(_ path: String) throws -> [UInt8] {
        let text = String(decoding: try Vectors.bytes(path), as: UTF8.self)
        return try #require(ReceiptText.bytes(ofBase64: text))
    }
}
