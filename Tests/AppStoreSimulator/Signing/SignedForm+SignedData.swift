import Contracts
import Foundation

extension SignedForm {
    /// JWS in compact form.
    static let signedData = genuine + flawedChains + otherChains + times + changes + xcode

    /// 2026-01-01T00:00:00Z.
    static let newYear2026 = Timestamp(milliseconds: 1_767_225_600_000)
    /// 2021-06-29T20:53:20Z, when what expired with the year 2021 was valid.
    static let summer2021 = Timestamp(milliseconds: 1_625_000_000_000)

    static func sale(at time: Timestamp = newYear2026) -> SignedTransaction {
        SimulatedPurchase(bundleId: bundleID, productId: "coins.120").transaction(at: time)
    }

    private static func transaction(
        _ name: String,
        _ refusal: Refusal?,
        signer: @escaping @Sendable () throws -> AppStoreSigner = { try AppStoreSigner() },
        _ proof: @escaping @Sendable (AppStoreSigner) throws -> String
    ) -> SignedForm {
        SignedForm(name: name, kind: .transaction, refusal: refusal) {
            let signer = try signer()
            return Example(proof: try proof(signer), root: signer.rootDER)
        }
    }

    private static func json(_ kind: Kind, _ name: String, _ json: String) -> SignedForm {
        SignedForm(name: name, kind: kind, refusal: nil) {
            let signer = try AppStoreSigner()
            return Example(proof: try signer.sign(payload: Array(json.utf8)), root: signer.rootDER)
        }
    }

    // MARK: In order

    private static let genuine = [
        transaction("transaction", nil) { try $0.sign(transaction: sale()) },
        transaction("refund in full", nil) { try $0.sign(transaction: sale().refunded(at: newYear2026)) },
        transaction("refund of 50 percent", nil) {
            try $0.sign(transaction: sale().refunded(at: newYear2026, reason: 1, percentage: 50_000))
        },
        json(
            .renewalInfo,
            "renewal info",
            #"{"originalTransactionId":"1","autoRenewStatus":1,"environment":"Production","#
                + #""signedDate":1767225600000}"#
        ),
        json(
            .appTransaction,
            "app transaction",
            #"{"receiptType":"Production","appAppleId":\#(appAppleID),"bundleId":"\#(bundleID)","#
                + #""applicationVersion":"1.0","receiptCreationDate":1767225600000}"#
        ),
        json(
            .notification,
            "notification",
            #"{"notificationType":"TEST","notificationUUID":"9b1f7c8e-2f0e-4f0f-8d0f-4a8f6a3b2c1d","version":"2.0","#
                + #""signedDate":1767225600000,"data":{"environment":"Production","appAppleId":\#(appAppleID),"#
                + #""bundleId":"\#(bundleID)"}}"#
        ),
    ]

    // MARK: Chains

    private static let flawedChains = ChainFlaw.allCases.map { flaw in
        let isExpired = flaw == .expiredLeaf || flaw == .expiredIntermediate
        return transaction(
            "chain: \(flaw)",
            isExpired ? .expiredCertificate : .untrusted,
            signer: { try AppStoreSigner(flaw: flaw) },
            { try $0.sign(transaction: sale()) }
        )
    }

    /// Signed by the key of the chain's leaf, with these certificates in its header.
    private static func chain(
        _ name: String,
        _ refusal: Refusal?,
        _ certificates: @escaping @Sendable ([[UInt8]]) throws -> [[UInt8]]
    ) -> SignedForm {
        transaction("chain: \(name)", refusal) { signer in
            try signer.sign(
                payload: Array(JSONEncoder().encode(sale())),
                header: AppStoreSigner.header(x5c: certificates(signer.certificates))
            )
        }
    }

    private static let otherChains = [
        transaction(
            "chain: both unmarked",
            .untrusted,
            signer: { try AppStoreSigner(flaws: [.unmarkedLeaf, .unmarkedIntermediate]) },
            { try $0.sign(transaction: sale()) }
        ),
        SignedForm(name: "chain: root not trusted", kind: .transaction, refusal: .untrusted) {
            Example(proof: try AppStoreSigner().sign(transaction: sale()))
        },
        SignedForm(name: "chain: another root in its place", kind: .transaction, refusal: .untrusted) {
            let (stranger, trusted) = (try AppStoreSigner(), try AppStoreSigner())
            let chain = stranger.certificates.prefix(2) + [trusted.rootDER]
            let header = AppStoreSigner.header(x5c: Array(chain))
            let payload = Array(try JSONEncoder().encode(sale()))
            return Example(proof: try stranger.sign(payload: payload, header: header), root: trusted.rootDER)
        },
        chain("empty", .malformed) { _ in [] },
        chain("leaf alone", .malformed) { Array($0.prefix(1)) },
        chain("without root", .malformed) { Array($0.prefix(2)) },
        chain("root twice", .malformed) { $0 + [$0[2]] },
        chain("leaf of another chain", .untrusted) {
            [try AppStoreSigner().certificates[0]] + $0.dropFirst()
        },
        chain("changed byte in the leaf", .untrusted) {
            [$0[0].spoiled] + $0.dropFirst()
        },
        chain("changed byte in the intermediate", .untrusted) {
            [$0[0], $0[1].spoiled, $0[2]]
        },
    ]

    // MARK: Times

    /// In milliseconds since 1970; chains are valid from 2020 to 2049.
    private static func signed(_ name: String, _ signedDate: Int64, _ refusal: Refusal?) -> SignedForm {
        transaction("time: \(name)", refusal) { signer in
            var sale = Self.sale()
            sale.signedDate = signedDate
            return try signer.sign(transaction: sale)
        }
    }

    private static let times =
        [
            signed("first second of the chain", 1_577_836_800_000, nil),
            signed("second before the chain", 1_577_836_799_000, .expiredCertificate),
            signed("last second of the chain", 2_524_607_999_000, nil),
            signed("second after the chain", 2_524_608_000_000, .expiredCertificate),
        ]
        + [ChainFlaw.expiredLeaf, .expiredIntermediate].map { (flaw: ChainFlaw) in
            transaction(
                "time: before \(flaw)",
                nil,
                signer: { try AppStoreSigner(flaw: flaw) },
                { try $0.sign(transaction: sale(at: summer2021)) }
            )
        }

    // MARK: Changed after it was signed

    private static let changes = [
        transaction("payload of another", .badSignature) { signer in
            let (own, other) = try parts(signer)
            return "\(own[0]).\(other[1]).\(own[2])"
        },
        transaction("signature of another", .badSignature) { signer in
            let (own, other) = try parts(signer)
            return "\(own[0]).\(own[1]).\(other[2])"
        },
        transaction("signed by a stranger's key", .badSignature) {
            try $0.forging().sign(transaction: sale())
        },
        transaction("without signature", .malformed) { signer in
            let own = try parts(signer).own
            return "\(own[0]).\(own[1])."
        },
    ]

    private static func parts(_ signer: AppStoreSigner) throws -> (own: [Substring], other: [Substring]) {
        let jws = try (signer.sign(transaction: sale()), signer.sign(transaction: sale()))
        return (jws.0.split(separator: "."), jws.1.split(separator: "."))
    }

    // MARK: Xcode

    private static func xcode(_ kind: Kind, _ json: String) -> SignedForm {
        SignedForm(name: "Xcode: \(kind)", kind: kind, refusal: .unsigned) {
            Example(proof: try XcodeSigner.sign(json: json))
        }
    }

    /// With dates as Xcode writes them: in fractions of a millisecond.
    private static let xcode = [
        xcode(
            .transaction,
            #"{"transactionId":"0","originalTransactionId":"0","bundleId":"\#(bundleID)","productId":"pass","#
                + #""purchaseDate":1767225600049.7297,"signedDate":1767225600056.485,"quantity":1,"#
                + #""type":"Auto-Renewable Subscription","environment":"Xcode"}"#
        ),
        xcode(
            .renewalInfo,
            #"{"originalTransactionId":"0","autoRenewProductId":"pass","autoRenewStatus":1,"#
                + #""renewalDate":1769904000049.7297,"signedDate":1767225600711.0747,"environment":"Xcode"}"#
        ),
        xcode(
            .appTransaction,
            #"{"receiptType":"Xcode","bundleId":"\#(bundleID)","applicationVersion":"1","#
                + #""receiptCreationDate":1767225600257.447,"originalPurchaseDate":-62135769600000}"#
        ),
    ]
}
