import AppStore
import AppStoreSigning
import Contracts
import Testing

/// Each promise is asked of a verifier that has not met the header before, and of one that has.
@Suite struct `a server notification` {
    let signer: AppStoreSigner
    let transaction: String
    let renewalInfo: String

    init() throws {
        signer = try AppStoreSigner()
        transaction = try signer.sign(json: EveryField.transaction)
        renewalInfo = try signer.sign(json: EveryField.renewalInfo)
    }

    private func verifier(warm: Bool) throws -> ServerNotificationVerifier {
        let verifier = ServerNotificationVerifier(extraRoots: [signer.rootDER])
        if warm {
            let test = PayloadSamples.payload(.notification)
            _ = try verifier.verify(signer.sign(json: test), now: .newYear2026)
        }
        return verifier
    }

    private func verified(_ json: String, warm: Bool = false) throws -> VerifiedServerNotification {
        try verifier(warm: warm).verify(signer.sign(json: json), now: .newYear2026)
    }

    private func failure(_ jws: String, warm: Bool) throws -> VerificationFailure? {
        let verifier = try verifier(warm: warm)
        return AppStoreTests.failure { try verifier.verify(jws, now: .newYear2026) }
    }

    @Test(arguments: [false, true])
    func `of a subscription comes back with both its signed items`(warm: Bool) throws {
        let json = PayloadSamples.notification([
            .signedTransactionInfo: transaction, .signedRenewalInfo: renewalInfo,
        ])
        let notification = try verified(json, warm: warm)
        #expect(notification.type == "DID_RENEW")
        #expect(notification.subtype == nil)
        #expect(notification.notificationUUID == "u")
        #expect(notification.signedDate == .newYear2026)
        #expect(notification.environment == .production)
        #expect(notification.bundleId == PayloadSamples.bundleID)
        #expect(notification.appAppleId == PayloadSamples.appAppleID)
        let alone = try signer.transactions
            .verify(transaction, now: .newYear2026)
        #expect(notification.transaction == alone)
        #expect(notification.renewalInfo?.autoRenewProductId == "pro.year")
        #expect(notification.appTransaction == nil)
    }

    @Test(arguments: [false, true])
    func `of a one-time purchase, a test or something new has what it has`(warm: Bool) throws {
        let once = PayloadSamples.notification(
            [.signedTransactionInfo: transaction],
            type: "ONE_TIME_CHARGE"
        )
        #expect(try verified(once, warm: warm).transaction?.transactionId == "2")
        #expect(try verified(once, warm: warm).renewalInfo == nil)
        #expect(try verified(PayloadSamples.payload(.notification), warm: warm).transaction == nil)
        let new = PayloadSamples.notification(type: "NEW_TYPE", more: #","subtype":"NEW","more":[1]"#)
        let unknown = try verified(new, warm: warm)
        #expect(unknown.type == "NEW_TYPE" && unknown.subtype == "NEW")
    }

    @Test(arguments: [false, true])
    func `of an account's app carries its app transaction`(warm: Bool) throws {
        let app = try signer.sign(json: EveryField.appTransaction)
        let json = PayloadSamples.notification(
            [.signedAppTransactionInfo: app],
            type: "RESCIND_CONSENT",
            part: "appData"
        )
        #expect(try verified(json, warm: warm).appTransaction?.appTransactionId == "7")
    }

    @Test func `without data names its app in the part that it has`() throws {
        for part in ["summary", "appData"] {
            let notification = try verified(PayloadSamples.notification(part: part))
            #expect(notification.bundleId == PayloadSamples.bundleID)
            #expect(notification.environment == .production)
        }
        let token = #"""
            {"notificationType":"EXTERNAL_PURCHASE_TOKEN","subtype":"CREATED","notificationUUID":"u",
            "externalPurchaseToken":{"externalPurchaseId":"SANDBOX_1","bundleId":"b","appAppleId":5}}
            """#
        let notification = try verified(token)
        #expect(notification.environment == .sandbox)
        #expect(notification.appAppleId == 5)
        #expect(notification.signedDate == .newYear2026)
    }

    @Test(arguments: [false, true])
    func `with a part of tomorrow names its app in any member that has a bundle id`(warm: Bool) throws {
        let seats = PayloadSamples.notification(
            type: "UNCLAIM_SEATS",
            part: "unclaimInfo",
            more: #","aaa":[{"bundleId":"b"}],"bbb":{"bundleId":7},"zzz":{"bundleId":"z"}"#
        )
        let notification = try verified(seats, warm: warm)
        #expect(notification.bundleId == PayloadSamples.bundleID && notification.type == "UNCLAIM_SEATS")
        #expect(notification.appAppleId == PayloadSamples.appAppleID)
        #expect(notification.environment == .production)
        #expect(notification.payload.unknownPart?.name == "unclaimInfo")
        let odd = #"""
            {"notificationType":"T","notificationUUID":"u","data":{"status":1},
            "new":{"bundleId":"b","appAppleId":"5","environment":{}}}
            """#
        let other = try verified(odd, warm: warm)
        #expect(other.bundleId == "b" && other.appAppleId == nil && other.environment == nil)
        let known = PayloadSamples.notification(more: #","new":{"bundleId":"b"}"#)
        #expect(try verified(known, warm: warm).payload.unknownPart == nil)
        let nobody = #"{"notificationType":"T","notificationUUID":"u","new":{"name":"b"}}"#
        #expect(try verified(nobody, warm: warm).bundleId == nil)
    }

    @Test(arguments: [false, true], SignedItem.allCases)
    func `whose inner item fails says which and why`(warm: Bool, item: SignedItem) throws {
        let part = item == .signedAppTransactionInfo ? "appData" : "data"
        let genuine = try signer.sign(json: PayloadSamples.payload(item.kind))
        let local = try signer.sign(json: PayloadSamples.payload(item.kind, environment: "Xcode"))
        let stranger = try AppStoreSigner().sign(json: PayloadSamples.payload(item.kind))
        let unreadable = PayloadSamples.payload(item.kind, more: #","appTransactionId":1"#)
        for (jws, reason) in [
            ("signed_info_value", VerificationFailure.Reason.malformed), (local, .unsigned),
            (stranger, .untrusted), (genuine.with(signatureOf: stranger), .badSignature),
            (String(repeating: "x", count: 132_000), .tooLarge),
            (try signer.sign(json: unreadable), .unreadable),
        ] {
            let json = PayloadSamples.notification([item: jws], part: part)
            let failure = try failure(signer.sign(json: json), warm: warm)
            #expect(failure?.reason == reason)
            #expect(failure?.item == item)
            #expect(failure?.detail.hasPrefix(item.rawValue + ": ") == true)
        }
    }

    @Test func `is judged outside before inside`() throws {
        let json = PayloadSamples.notification([.signedTransactionInfo: "rubbish"])
        let good = try signer.sign(json: json)
        let stranger = try AppStoreSigner().sign(json: json)
        for (jws, reason) in [
            (stranger, VerificationFailure.Reason.untrusted),
            (good.with(signatureOf: stranger), .badSignature),
        ] {
            let failure = try failure(jws, warm: false)
            #expect(failure?.reason == reason)
            #expect(failure?.item == nil)
        }
    }

    @Test(arguments: [false, true])
    func `of a developer's own machine is unsigned in every part`(warm: Bool) throws {
        for part in ["data", "summary", "appData"] {
            let json = PayloadSamples.notification(part: part, environment: "LocalTesting")
            #expect(try failure(signer.sign(json: json), warm: warm)?.reason == .unsigned)
        }
    }

    @Test(arguments: [false, true])
    func `that this program cannot read is unreadable, not worthless`(warm: Bool) throws {
        let json = PayloadSamples.notification(more: #","summary":{"failedCount":"2"}"#)
        #expect(try failure(signer.sign(json: json), warm: warm)?.reason == .unreadable)
    }

    @Test(arguments: [false, true])
    func `that names no type or no UUID is none, whoever signed it`(warm: Bool) throws {
        for name in ["notificationUUID", "notificationType"] {
            let json = PayloadSamples.notification().replacing(name, with: "other")
            #expect(try failure(signer.sign(json: json), warm: warm)?.reason == .malformed, "\(json)")
        }
    }

    @Test(arguments: [false, true])
    func `is taken up to 512 KiB`(warm: Bool) throws {
        let long = String(repeating: "x", count: 370_000)
        let json = PayloadSamples.notification(more: #","more":"\#(long)""#)
        #expect(try failure(signer.sign(json: json), warm: warm) == nil)
        let jws = String(repeating: "x", count: ServerNotificationPayload.maximumBytes + 1)
        #expect(try failure(jws, warm: warm)?.reason == .tooLarge)
    }
}
