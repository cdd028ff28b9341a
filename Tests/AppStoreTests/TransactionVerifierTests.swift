import AppStore
import AppStoreSigning
import Contracts
import Foundation
import Testing

/// Each promise is asked of a verifier that has not met the header before, and of one that has.
@Suite struct `a signed transaction` {
    let signer: AppStoreSigner
    let purchase = SimulatedPurchase(bundleId: "com.example.game", productId: "coins100")
    let transaction: SignedTransaction
    let genuine: String

    init() throws {
        signer = try AppStoreSigner()
        transaction = purchase.transaction(at: .newYear2026)
        genuine = try signer.sign(transaction: transaction)
    }

    private func verifier(warm: Bool) throws -> TransactionVerifier {
        let verifier = signer.transactions
        if warm { _ = try verifier.verify(genuine, now: .newYear2026) }
        return verifier
    }

    private func refusal(of jws: String, warm: Bool) throws -> VerificationFailure.Reason? {
        let verifier = try verifier(warm: warm)
        return reason { try verifier.verify(jws, now: .newYear2026) }
    }

    private func segments(_ jws: String) -> [Substring] { jws.split(separator: ".") }

    @Test(arguments: [false, true])
    func `comes back with every field that was signed`(warm: Bool) throws {
        var full = transaction
        full.expiresDate = 1_767_225_700_000
        full.appAccountToken = "7e3fb20b-4cdb-47cc-936d-99d65f608138"
        full.advancedCommerceInfo = .object(["taxRate": .string("0.15"), "estimatedTax": .integer(1_500)])
        let jws = try signer.sign(transaction: full.refunded(at: .newYear2026))
        let verified = try verifier(warm: warm).verify(jws, now: .newYear2026)
        #expect(verified == full.refunded(at: .newYear2026))
    }

    @Test(arguments: [false, true])
    func `is refused when its payload was exchanged`(warm: Bool) throws {
        let other = segments(try signer.sign(transaction: purchase.transaction(at: .newYear2026)))
        let own = segments(genuine)
        #expect(try refusal(of: "\(own[0]).\(other[1]).\(own[2])", warm: warm) == .badSignature)
        #expect(try refusal(of: "\(own[0]).\(own[1]).\(other[2])", warm: warm) == .badSignature)
    }

    @Test(arguments: [false, true])
    func `signed by another key under our chain is refused`(warm: Bool) throws {
        let stranger = try AppStoreSigner()
        let header = AppStoreSigner.header(x5c: signer.certificates)
        let payload = Array(try JSONEncoder().encode(transaction))
        #expect(try refusal(of: stranger.sign(payload: payload, header: header), warm: warm) == .badSignature)
    }

    @Test(arguments: [false, true])
    func `signed outside the chain's time is refused, inside it is not`(warm: Bool) throws {
        let verifier = try verifier(warm: warm)
        let start: Int64 = 1_577_836_800_000
        let end: Int64 = 2_524_607_999_000
        for (signedDate, expected) in [
            (start, nil), (start - 1, VerificationFailure.Reason.expiredCertificate), (end, nil),
            (end + 1, .expiredCertificate), (.min, .expiredCertificate), (1 << 53, .expiredCertificate),
        ] {
            var changed = transaction
            changed.signedDate = signedDate
            let jws = try signer.sign(transaction: changed)
            #expect(reason { try verifier.verify(jws, now: .newYear2026) } == expected, "\(signedDate)")
        }
    }

    @Test(arguments: [false, true], ["Xcode", "LocalTesting"])
    func `of a developer's own machine is unsigned, whoever signed it`(warm: Bool, environment: String) throws
    {
        var unsigned = transaction
        unsigned.environment = environment
        #expect(try refusal(of: signer.sign(transaction: unsigned), warm: warm) == .unsigned)
        #expect(try refusal(of: AppStoreSigner().sign(transaction: unsigned), warm: warm) == .unsigned)
    }

    @Test(arguments: [false, true])
    func `of an unknown environment is genuine and keeps its name`(warm: Bool) throws {
        var unknown = transaction
        unknown.environment = "Moon"
        let verified = try verifier(warm: warm).verify(signer.sign(transaction: unknown), now: .newYear2026)
        #expect(verified.environment == "Moon")
    }

    @Test(arguments: [false, true])
    func `that this program cannot read is unreadable, not worthless`(warm: Bool) throws {
        for payload in [
            #"{"transactionId":"1","signedDate":1767225600000}"#,
            #"{"transactionId":1,"signedDate":1767225600000}"#,
        ] {
            #expect(try refusal(of: signer.sign(payload: Array(payload.utf8)), warm: warm) == .unreadable)
        }
        let renewal = Array(#"{"originalTransactionId":"1","signedDate":1767225600000}"#.utf8)
        #expect(try refusal(of: signer.sign(payload: renewal), warm: warm) == .malformed)
    }

    @Test(arguments: [false, true])
    func `that nobody signed is judged by its signature before it is read`(warm: Bool) throws {
        let own = segments(genuine)
        for json in [#"{"transactionId":1}"#, #"{"signedDate":"today"}"#, #"{"signedDate":1e300}"#] {
            let payload = segments(try signer.sign(payload: Array(json.utf8)))[1]
            #expect(try refusal(of: "\(own[0]).\(payload).\(own[2])", warm: warm) == .badSignature)
        }
    }

    @Test(arguments: [false, true])
    func `of the wrong shape is malformed`(warm: Bool) throws {
        let own = segments(genuine)
        let array = segments(try signer.sign(payload: Array("[]".utf8)))[1]
        for wrong in [
            "", ".", "..", "a.b", "\(genuine).", ".\(genuine)", "\(own[0]).\(own[1])", "\(own[0])..\(own[2])",
            "\(own[0]).\(own[1]).", "\(own[0]).\(own[1]).AAAA", "\(own[0]).\(own[1])=.\(own[2])",
            "\(genuine)\n",
            "\(own[0]).\(own[1]).\(own[2].dropLast())*", "\(own[0]).\(array).\(own[2])",
            "\(own[0]).e30.\(own[2])x",
        ] {
            #expect(try refusal(of: wrong, warm: warm) == .malformed, "\(wrong.suffix(40))")
        }
    }

    @Test func `under a header of the wrong shape is malformed`() throws {
        let payload = Array(try JSONEncoder().encode(transaction))
        let chain = signer.certificates
        let good = String(decoding: AppStoreSigner.header(x5c: chain), as: UTF8.self)
        let headers = [
            "{}", "[]", "null", "no JSON", #"{"alg":"ES256"}"#, #"{"alg":"ES256","x5c":[]}"#,
            #"{"alg":"ES256","x5c":"AAAA"}"#, #"{"alg":"ES256","x5c":["AAAA","AAAA","AAAA"]}"#,
            #"{"alg":"ES256","x5c":["?","?","?"]}"#, good.replacing("ES256", with: "none"),
            good.replacing("ES256", with: "HS256"), good.replacing("ES256", with: "es256"),
        ].map { Array($0.utf8) }
        let lengths = [
            Array(chain.prefix(1)), Array(chain.prefix(2)), chain + [chain[2]],
        ].map(AppStoreSigner.header(x5c:))
        for header in headers + lengths {
            let jws = try signer.sign(payload: payload, header: header)
            #expect(
                try refusal(of: jws, warm: false) == .malformed,
                "\(String(decoding: header, as: UTF8.self))"
            )
        }
    }

    @Test func `above the size limit is not even decoded`() throws {
        #expect(try refusal(of: String(repeating: "a", count: 128 * 1_024), warm: false) == .malformed)
        #expect(try refusal(of: String(repeating: "a", count: 128 * 1_024 + 1), warm: false) == .tooLarge)
    }

    @Test func `for another app, or from another environment, is genuine and says so`() throws {
        let origin = try verifier(warm: false).verify(genuine, now: .newYear2026).origin
        for (bundleId, environments, expected) in [
            ("com.example.game", [.production, .sandbox], nil),
            ("com.example.wrong", [.production], .wrongApp),
            ("com.example.wrong", [.sandbox], .wrongApp), ("com.example.game", [.sandbox], .wrongEnvironment),
            ("com.example.game", [], .wrongEnvironment),
        ] as [(String, Set<Environment>, VerificationFailure.Reason?)] {
            let expectation = ExpectedOrigin(bundleId: bundleId, environments: environments)
            #expect(reason { try expectation.check(origin) } == expected)
        }
    }

    @Test func `never reaches a failure's detail`() throws {
        let own = segments(genuine)
        let verifier = try verifier(warm: false)
        for wrong in ["\(own[0]).\(own[1]).AAAA", "\(own[0]).\(own[1]).\(own[1].prefix(86))"] {
            let failure = failure { try verifier.verify(wrong, now: .newYear2026) }
            let detail = try #require(failure).detail
            #expect(detail.utf8.count < 120 && !detail.contains("\n"))
            #expect(!detail.contains(transaction.transactionId))
        }
    }

    @Test func `is verified by many threads at once with one answer`() async throws {
        let verifier = try verifier(warm: false)
        let own = segments(genuine)
        let forged = "\(own[0]).\(segments(try signer.sign(payload: Array("{}".utf8)))[1]).\(own[2])"
        let answers = await withTaskGroup(of: [VerificationFailure.Reason?].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    (0..<40).map { index in
                        reason {
                            try verifier.verify(index.isMultiple(of: 2) ? genuine : forged, now: .newYear2026)
                        }
                    }
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(answers.count == 320)
        #expect(answers.count { $0 == nil } == 160)
        #expect(answers.count { $0 == .badSignature } == 160)
    }
}
