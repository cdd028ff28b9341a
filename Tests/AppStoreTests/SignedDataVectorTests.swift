import AppStore
import Contracts
import Testing

/// The table of the vectors' README, row by row, for what is a JWS.
@Suite(.enabled(if: Vectors.areThere, "Apple's vectors are not beside the repository"))
struct `the vectors' signed data` {
    let verifier: SignedDataVerifier
    let now = Vectors.valid

    init() throws {
        verifier = SignedDataVerifier(extraRoots: [try Vectors.bytes("apple-mock/testCA.der")])
    }

    private func data(_ path: String) throws -> SignedData { try SignedData(Vectors.bytes(path)) }

    private func refusal(
        _ name: String,
        for expectation: ExpectedOrigin = ExpectedOrigin()
    ) -> VerificationFailure.Reason? {
        reason {
            let data = try data("apple-mock/jws/\(name)")
            try verifier.authenticate(data, now: now)
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

    @Test func `the transaction is valid for its app`() throws {
        #expect(try data("apple-mock/jws/transactionInfo").kind == .transaction)
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
        let notifications = NotificationVerifier(extraRoots: [try Vectors.bytes("apple-mock/testCA.der")])
        let notification = try notifications.verify(jws, now: now)
        #expect(notification.type == "TEST")
        #expect(notification.notificationUUID == "9ad56bd2-0bc6-42e0-af24-fd996d87a1e6")
        #expect(notification.signedDate == Timestamp(milliseconds: 1_681_314_324_000))
        #expect(reason { try NotificationVerifier().verify(jws, now: now) } == .untrusted)
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
        #expect(reason { try verifier.authenticate(data, now: now) } == .unsigned)
    }

    @Test func `Apple's own renewal info of 2023 holds at its date, against Apple's root, and not now`()
        throws
    {
        let data = try data("apple-real/renewalInfo_sandbox_2023.jws")
        #expect(data.kind == .renewalInfo)
        let apple = SignedDataVerifier()
        #expect(reason { try apple.authenticate(data, now: now) } == nil)
        #expect(reason { try apple.authenticate(data, at: now, now: now) } == .expiredCertificate)
    }
}
