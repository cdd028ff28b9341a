import Contracts
import TestKit
import Testing

@testable import AppStore

@Suite(.enabled(if: Vectors.areThere, "no vectors"))
struct `signed data of Apple's and others' making` {
    let mock: SignedDataVerifier
    let mockTransactions: TransactionVerifier
    let apple = SignedDataVerifier()
    let now = Timestamp(milliseconds: 1_681_314_324_000)

    init() throws {
        let root = try Vectors.bytes("apple-mock/testCA.der")
        mock = SignedDataVerifier(extraRoots: [root])
        mockTransactions = TransactionVerifier(extraRoots: [root])
    }

    @Test(arguments: ["transactionInfo", "renewalInfo", "testNotification", "wrongBundleId"])
    func `signed by the synthetic root are genuine, untrusted under Apple's, and no transactions`(
        name: String
    ) throws {
        let bytes = try Vectors.bytes("apple-mock/jws/\(name)")
        _ = try mock.verify(bytes, as: TransactionPayload.self, now: now)
        #expect(reason { try apple.verify(bytes, as: TransactionPayload.self, now: now) } == .untrusted)
        // They lack a transaction id.
        #expect(reason { try mockTransactions.verify(bytes, now: now) } == .malformed)
    }

    @Test func `that present the synthetic root's key in another certificate are held against the known one`()
        throws
    {
        let presented = try Vectors.bytes("apple-mock/jws/transactionInfo")
        let other = SignedDataVerifier(extraRoots: [
            try Vectors.bytes("apple-mock/chains/real_apple_root_ca_g3.der")
        ])
        #expect(reason { try other.verify(presented, as: TransactionPayload.self, now: now) } == .untrusted)
        #expect(reason { try mock.verify(presented, as: TransactionPayload.self, now: now) } == nil)
    }

    @Test(arguments: [
        ("apple-mock/jws/missingX5CHeaderClaim", VerificationFailure.Reason.malformed),
        ("apple-mock/jws/legacyTransaction", .malformed),
        ("apple-mock/xcode/xcode-app-receipt-empty", .malformed),
        ("apple-mock/xcode/xcode-app-receipt-with-transaction", .malformed),
        ("apple-mock/xcode/xcode-signed-transaction", .unsigned),
        ("apple-mock/xcode/xcode-signed-app-transaction", .unsigned),
        ("apple-mock/xcode/xcode-signed-renewal-info", .unsigned),
    ])
    func `that carry no chain, are app receipts, or made by Xcode are never accepted`(
        path: String,
        expected: VerificationFailure.Reason
    ) throws {
        let bytes = try Vectors.bytes(path)
        #expect(reason { try mockTransactions.verify(bytes, now: now) } == expected)
    }

    @Test func `signed by Apple itself in 2023 is genuine at its own date though its leaf has expired since`()
        throws
    {
        let bytes = try Vectors.bytes("apple-real/renewalInfo_sandbox_2023.jws")
        let payload: TransactionPayload = try apple.verify(bytes, now: .newYear2026)
        #expect(payload.environment == "Sandbox")
        let renewal = try SignedData(bytes)
        #expect(renewal.kind == .renewalInfo)
        #expect(reason { try apple.authenticate(renewal, now: now) } == nil)
        let today = Vectors.valid
        #expect(reason { try apple.authenticate(renewal, at: today, now: today) } == .expiredCertificate)
        #expect(reason { try TransactionVerifier().verify(bytes, now: .newYear2026) } == .malformed)
    }

    @Test func `signed by Apple itself do not survive a changed byte`() throws {
        let genuine = try Vectors.bytes("apple-real/renewalInfo_sandbox_2023.jws")
        let dot = try #require(genuine.lastIndex(of: UInt8(ascii: ".")))
        for offset in [dot + 1, dot + 40] {
            var bytes = genuine
            bytes[offset] = bytes[offset] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            let found = reason { try apple.verify(bytes, as: TransactionPayload.self, now: now) }
            #expect(found == .badSignature)
        }
    }

    private func data(_ path: String) throws -> SignedData { try SignedData(Vectors.bytes(path)) }

    private func refusal(
        _ name: String,
        for expectation: ExpectedOrigin = ExpectedOrigin()
    ) -> VerificationFailure.Reason? {
        reason {
            let data = try data("apple-mock/jws/\(name)")
            try mock.authenticate(data, now: Vectors.valid)
            try expectation.check(data.decoded.origin)
        }
    }

    @Test func `the test notification is valid, for its app and environment only`() throws {
        let sandbox = ExpectedOrigin(bundleId: "com.example", appAppleId: 1_234, environments: [.sandbox])
        #expect(try data("apple-mock/jws/testNotification").kind == .notification)
        #expect(refusal("testNotification") == nil)
        #expect(refusal("testNotification", for: sandbox) == nil)
        let production = ExpectedOrigin(
            bundleId: "com.example",
            appAppleId: 1_234,
            environments: [.production]
        )
        #expect(refusal("testNotification", for: production) == .wrongEnvironment)
        let other = ExpectedOrigin(bundleId: "com.example", appAppleId: 1_235, environments: [.production])
        #expect(refusal("testNotification", for: other) == .wrongApp)
    }

    @Test func `the renewal info is valid for any app`() throws {
        #expect(try data("apple-mock/jws/renewalInfo").kind == .renewalInfo)
        #expect(refusal("renewalInfo", for: ExpectedOrigin(bundleId: "com.example.x")) == nil)
    }

    @Test func `transactionInfo says what it says, and is valid for its app`() throws {
        let data = try data("apple-mock/jws/transactionInfo")
        #expect(data.kind == .transaction && data.decoded.origin.environment == .sandbox)
        #expect(data.decoded.signingTime?.milliseconds == 1_672_956_154_000)
        #expect(refusal("transactionInfo", for: ExpectedOrigin(bundleId: "com.example")) == nil)
        #expect(refusal("transactionInfo", for: ExpectedOrigin(bundleId: "com.example.x")) == .wrongApp)
    }

    @Test func `the statement without a date holds now, and is for another app`() throws {
        #expect(try data("apple-mock/jws/wrongBundleId").decoded.signingTime == nil)
        #expect(refusal("wrongBundleId") == nil)
        #expect(refusal("wrongBundleId", for: ExpectedOrigin(bundleId: "com.example")) == .wrongApp)
    }

    @Test func `those of another shape are malformed`() {
        #expect(refusal("missingX5CHeaderClaim") == .malformed)
        #expect(refusal("legacyTransaction") == .malformed)
    }

    @Test func `the test notification goes through the notifications' own door`() throws {
        let jws = String(decoding: try Vectors.bytes("apple-mock/jws/testNotification"), as: UTF8.self)
        let notifications = ServerNotificationVerifier(extraRoots: [
            try Vectors.bytes("apple-mock/testCA.der")
        ])
        let notification = try notifications.verify(jws, now: now)
        #expect(notification.type == "TEST")
        #expect(notification.notificationUUID == "9ad56bd2-0bc6-42e0-af24-fd996d87a1e6")
        #expect(notification.signedDate == Timestamp(milliseconds: 1_681_314_324_000))
        #expect(reason { try ServerNotificationVerifier().verify(jws, now: Vectors.valid) } == .untrusted)
    }

    @Test(arguments: [
        "xcode-signed-transaction": SignedDataKind.transaction,
        "xcode-signed-renewal-info": .renewalInfo,
        "xcode-signed-app-transaction": .appTransaction,
    ])
    func `Xcode's can be read and are never valid`(name: String, kind: SignedDataKind) throws {
        let data = try data("apple-mock/xcode/\(name)")
        #expect(data.kind == kind)
        #expect(data.decoded.origin.environment == .xcode)
        #expect(reason { try mock.authenticate(data, now: Vectors.valid) } == .unsigned)
    }
}
