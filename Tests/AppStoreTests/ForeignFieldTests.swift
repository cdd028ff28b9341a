import AppStore
import AppStoreSigning
import Contracts
import Testing

/// Each promise is asked of a verifier that has not met the header before, and of one that has.
@Suite struct `a field of Apple's that this program does not know` {
    let signer: AppStoreSigner

    init() throws { signer = try AppStoreSigner() }

    /// Where the four kinds keep when and where they were signed.
    private static let claims = [
        "signedDate", "receiptCreationDate", "environment", "receiptType", "data", "summary", "appData",
    ]

    /// Those that a kind has itself.
    private static func own(_ kind: SignedDataKind) -> Set<String> {
        switch kind {
        case .transaction, .renewalInfo: ["signedDate", "environment"]
        case .appTransaction: ["receiptCreationDate", "receiptType"]
        case .notification: ["signedDate", "data", "summary", "appData"]
        }
    }

    /// Why a payload of this kind is refused when Apple signed it; nil when it is taken.
    private func refusal(
        of json: String,
        as kind: SignedDataKind,
        warm: Bool
    ) throws -> VerificationFailure.Reason? {
        let verifier = SignedDataVerifier(extraRoots: [signer.rootDER])
        func refusal<Payload: SignedPayload>(_ payload: Payload.Type) throws -> VerificationFailure.Reason? {
            if warm {
                let known = try signer.sign(json: PayloadSamples.payload(kind))
                _ = try verifier.verify(Array(known.utf8), as: payload, now: .newYear2026)
            }
            let jws = Array(try signer.sign(json: json).utf8)
            return reason { try verifier.verify(jws, as: payload, now: .newYear2026) }
        }
        return switch kind {
        case .transaction: try refusal(SignedTransaction.self)
        case .renewalInfo: try refusal(RenewalInfoPayload.self)
        case .appTransaction: try refusal(AppTransactionPayload.self)
        case .notification: try refusal(ServerNotificationPayload.self)
        }
    }

    @Test(arguments: SignedDataKind.allCases, [false, true])
    func `is passed over under the name and in the shape of any other`(
        kind: SignedDataKind,
        warm: Bool
    ) throws {
        for name in Self.claims where !Self.own(kind).contains(name) {
            for value in [#""Xcode""#, "7", "1.5", "true", "[1]", "{}", #"{"environment":"Xcode"}"#] {
                let json = PayloadSamples.payload(kind, more: #","\#(name)":\#(value)"#)
                let refusal = try refusal(of: json, as: kind, warm: warm)
                #expect(refusal == nil, "\(name) is \(value)")
                #expect(try SignedData(Array(signer.sign(json: json).utf8)).kind == kind, "\(name)")
            }
        }
    }

    @Test(arguments: [false, true])
    func `all at once leave each kind what it is`(warm: Bool) throws {
        for kind in SignedDataKind.allCases {
            let more = Self.claims.filter { !Self.own(kind).contains($0) }.map {
                #","\#($0)":[null,{"a":7}]"#
            }
            let json = PayloadSamples.payload(kind, more: more.joined())
            #expect(try refusal(of: json, as: kind, warm: warm) == nil)
            #expect(try SignedData(Array(signer.sign(json: json).utf8)).kind == kind)
        }
    }

    @Test(arguments: [SignedDataKind.transaction, .renewalInfo, .notification], [false, true])
    func `keeps the payment, when it is one that this program does know in another shape`(
        kind: SignedDataKind,
        warm: Bool
    ) throws {
        let json = PayloadSamples.payload(kind)
        let strange = json.replacing(#""signedDate":1767225600000"#, with: #""signedDate":"today""#)
        #expect(strange != json)
        #expect(try refusal(of: strange, as: kind, warm: warm) == .unreadable)
    }

    @Test(arguments: SignedDataKind.allCases, [false, true])
    func `hides nobody's own machine`(kind: SignedDataKind, warm: Bool) throws {
        let more = Self.claims.filter { !Self.own(kind).contains($0) }.map { #","\#($0)":[7]"# }.joined()
        let json = PayloadSamples.payload(kind, environment: "Xcode", more: more)
        #expect(try refusal(of: json, as: kind, warm: warm) == .unsigned)
    }
}
