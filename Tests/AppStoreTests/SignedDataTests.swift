import AppStore
import AppStoreSigning
import Contracts
import Foundation
import Testing

@Suite struct `signed data` {
    let signer: AppStoreSigner
    let verifier: SignedDataVerifier

    init() throws {
        signer = try AppStoreSigner()
        verifier = SignedDataVerifier(extraRoots: [signer.rootDER])
    }

    private func data(_ jws: String) throws -> SignedData { try SignedData(Array(jws.utf8)) }

    private func check(
        _ jws: String,
        for expectation: ExpectedOrigin = ExpectedOrigin(),
        at time: Timestamp? = nil
    ) throws {
        let data = try data(jws)
        try verifier.authenticate(data, at: time, now: .newYear2026)
        try expectation.check(data.decoded.origin)
    }

    @Test(arguments: SignedDataKind.allCases)
    func `is known for what it is, and for whom it is`(kind: SignedDataKind) throws {
        let data = try data(signer.sign(json: PayloadSamples.payload(kind)))
        #expect(data.kind == kind)
        #expect(data.decoded.signingTime == .newYear2026)
        let origin = data.decoded.origin
        #expect(origin.environment == .production)
        #expect(origin.bundleId == (kind == .renewalInfo ? nil : PayloadSamples.bundleID))
        #expect(origin.appAppleId == (kind.namesAppAppleID ? PayloadSamples.appAppleID : nil))
    }

    @Test(arguments: [
        #"{"environment":"Sandbox","bundleId":"b","signedDate":1}"#: SignedDataKind.transaction,
        #"{"environment":"Sandbox","signedDate":1}"#: .renewalInfo,
        #"{"autoRenewStatus":0}"#: .renewalInfo,
        #"{"data":{},"notificationUUID":"u"}"#: .notification,
        #"{"notificationType":"NEW","bundleId":"b"}"#: .notification,
        #"{"receiptType":"Sandbox","bundleId":"b"}"#: .appTransaction,
    ])
    func `of few words is still known`(json: String, kind: SignedDataKind) throws {
        #expect(try data(signer.sign(json: json)).kind == kind)
    }

    @Test(arguments: [
        "{}", "[]", "null", "1", #""text""#, #"{"signedDate":1}"#, "no JSON", "{\"bundleId\":\"b\"",
        #"{"originalTransactionId":"1","appAppleId":1,"userLocale":"en","environment":"Production"}"#,
    ])
    func `of no kind that is known is malformed`(json: String) throws {
        let jws = try signer.sign(json: json)
        #expect(reason { try data(jws) } == .malformed)
    }

    @Test(arguments: SignedDataKind.allCases)
    func `holds when Apple signed it`(kind: SignedDataKind) throws {
        let jws = try signer.sign(json: PayloadSamples.payload(kind))
        for _ in 1...2 { #expect(reason { try check(jws) } == nil) }
    }

    @Test(arguments: SignedDataKind.allCases, ["Xcode", "LocalTesting"])
    func `of a developer's own machine is unsigned`(kind: SignedDataKind, environment: String) throws {
        let json = PayloadSamples.payload(kind, environment: environment)
        #expect(reason { try check(signer.sign(json: json)) } == .unsigned)
        let header = AppStoreSigner.header(x5c: [signer.certificates[0]])
        let ownCertificate = try signer.sign(payload: Array(json.utf8), header: header)
        #expect(reason { try check(ownCertificate) } == .unsigned)
    }

    @Test(arguments: SignedDataKind.allCases)
    func `is refused for what is wrong with it`(kind: SignedDataKind) throws {
        let json = PayloadSamples.payload(kind)
        let good = try signer.sign(json: json)
        let other = try signer.sign(json: PayloadSamples.payload(kind, more: #","more":1"#))
        let long = String(repeating: "x", count: ServerNotificationPayload.maximumBytes)
        #expect(reason { try check(good + "." + good) } == .malformed)
        #expect(reason { try check(good + long) } == .tooLarge)
        #expect(reason { try check(AppStoreSigner().sign(json: json)) } == .untrusted)
        #expect(reason { try check(good, at: Timestamp(milliseconds: 0)) } == .expiredCertificate)
        #expect(reason { try check(good.with(signatureOf: other)) } == .badSignature)
    }

    @Test(arguments: SignedDataKind.allCases)
    func `above 128 KiB is too large, unless it carries others`(kind: SignedDataKind) throws {
        let text = String(repeating: "x", count: 100_000)
        let jws = try signer.sign(json: PayloadSamples.payload(kind, more: #","more":"\#(text)""#))
        #expect(reason { try check(jws) } == (kind == .notification ? nil : .tooLarge))
    }

    @Test func `with a field of the wrong type says which`() throws {
        for (kind, more, field) in [
            (SignedDataKind.transaction, #","price":"1""#, "price"),
            (.transaction, #","price":1.5"#, "(all)"),
            (.transaction, #","isUpgraded":1"#, "isUpgraded"),
            (.renewalInfo, #","autoRenewProductId":7"#, "autoRenewProductId"),
            (.renewalInfo, #","eligibleWinBackOfferIds":"a""#, "eligibleWinBackOfferIds"),
            (.appTransaction, #","versionExternalIdentifier":"512""#, "versionExternalIdentifier"),
            (.notification, #","summary":{"appAppleId":"blue"}"#, "summary.appAppleId"),
        ] {
            let jws = try signer.sign(json: PayloadSamples.payload(kind, more: more))
            let failure = failure { try data(jws) }
            #expect(failure?.reason == .malformed, "\(more)")
            #expect(failure?.detail.contains(field) == true, "\(more)")
        }
    }

    @Test func `keeps what nobody has documented`() throws {
        let more = #","storefront":"MOON","newField":{"a":[1,2.5,null,true]}"#
        let data = try data(signer.sign(json: PayloadSamples.payload(.transaction, more: more)))
        guard case .object(let members) = try data.payload() else {
            Issue.record("no transaction")
            return
        }
        #expect(members["storefront"] == .string("MOON"))
        let values: [JSONValue] = [.integer(1), .number(2.5), .null, .bool(true)]
        #expect(members["newField"] == .object(["a": .array(values)]))
    }

    @Test func `whose certificates have expired holds at its own date and not now`() throws {
        let expired = try AppStoreSigner(flaw: .expiredLeaf)
        let verifier = SignedDataVerifier(extraRoots: [expired.rootDER])
        let json = #"{"transactionId":"1","signedDate":1625000000000}"#
        let old = try data(expired.sign(json: json))
        let dateless = try data(expired.sign(json: #"{"transactionId":"1"}"#))
        #expect(reason { try verifier.authenticate(old, now: .newYear2026) } == nil)
        let late = reason { try verifier.authenticate(old, at: .newYear2026, now: .summer2021) }
        #expect(late == .expiredCertificate)
        #expect(reason { try verifier.authenticate(dateless, now: .newYear2026) } == .expiredCertificate)
        #expect(reason { try verifier.authenticate(dateless, now: .summer2021) } == nil)
    }

    @Test func `under a root that has another's name is held against the one that issued it`() throws {
        let strangers = [try AppStoreSigner().rootDER, try AppStoreSigner().rootDER]
        let chain = Array(signer.certificates.prefix(2)) + [strangers[0]]
        let json = PayloadSamples.payload(.transaction)
        let jws = try data(
            signer.sign(payload: Array(json.utf8), header: AppStoreSigner.header(x5c: chain))
        )
        let knowing = SignedDataVerifier(extraRoots: [strangers[1], signer.rootDER])
        #expect(reason { try knowing.authenticate(jws, now: .newYear2026) } == nil)
        let ignorant = SignedDataVerifier(extraRoots: [strangers[1]])
        #expect(reason { try ignorant.authenticate(jws, now: .newYear2026) } == .untrusted)
    }
}

@Suite struct `an expectation` {
    private func reason(
        _ expectation: ExpectedOrigin,
        _ json: String
    ) throws -> VerificationFailure.Reason? {
        let data = try SignedData(Array(AppStoreSigner().sign(json: json).utf8))
        return AppStoreTests.reason { try expectation.check(data.decoded.origin) }
    }

    private func sample(_ kind: SignedDataKind, _ environment: String = "Production") -> String {
        PayloadSamples.payload(kind, environment: environment)
    }

    @Test(arguments: SignedDataKind.allCases)
    func `asks for nothing that was not given`(kind: SignedDataKind) throws {
        #expect(try reason(ExpectedOrigin(), sample(kind)) == nil)
    }

    @Test(arguments: SignedDataKind.allCases)
    func `refuses another app where an app is named, then another environment`(kind: SignedDataKind) throws {
        var expectation = ExpectedOrigin(
            bundleId: PayloadSamples.bundleID,
            appAppleId: PayloadSamples.appAppleID,
            environments: [.production]
        )
        #expect(try reason(expectation, sample(kind)) == nil)
        #expect(try reason(expectation, sample(kind, "Sandbox")) == .wrongEnvironment)
        expectation.environments = [.production, .sandbox]
        #expect(try reason(expectation, sample(kind, "Sandbox")) == nil)
        #expect(try reason(expectation, sample(kind, "Moon")) == .wrongEnvironment)
        expectation.bundleId = "com.example"
        let moon = try reason(expectation, sample(kind, "Moon"))
        #expect(moon == (kind.namesBundleID ? .wrongApp : .wrongEnvironment))
    }

    @Test(arguments: [SignedDataKind.notification, .appTransaction])
    func `of an app's number refuses another, and in production none`(kind: SignedDataKind) throws {
        let other = ExpectedOrigin(appAppleId: 1)
        let own = ExpectedOrigin(appAppleId: PayloadSamples.appAppleID)
        for environment in ["Production", "Sandbox"] {
            #expect(try reason(other, sample(kind, environment)) == .wrongApp)
            #expect(try reason(own, sample(kind, environment)) == nil)
            let number = #""appAppleId":\#(PayloadSamples.appAppleID),"#
            let none = sample(kind, environment).replacing(number, with: "").replacing("\n", with: "")
                .replacing(number, with: "")
            #expect(!none.contains("appAppleId"))
            #expect(try reason(own, none) == (environment == "Production" ? .wrongApp : nil))
        }
    }

    @Test func `is not met by what does not say where it is from`() throws {
        let json = #"{"data":{"bundleId":"com.example.game"},"notificationUUID":"u"}"#
        #expect(try reason(ExpectedOrigin(environments: [.sandbox]), json) == .wrongEnvironment)
        #expect(try reason(ExpectedOrigin(bundleId: "com.example.game"), json) == nil)
        let empty = try reason(ExpectedOrigin(bundleId: "b"), #"{"data":{},"notificationUUID":"u"}"#)
        #expect(empty == .wrongApp)
    }
}
