import Contracts
import Foundation

extension SignedForm {
    /// App receipts, and the receipts of iOS 6, in base64.
    static let receipts = written + flawed + unsigned + [signedByNobody] + transactionReceipts

    private static func appReceipt(
        _ name: String,
        _ refusal: Refusal?,
        style: ReceiptStyle = ReceiptStyle(),
        purchases count: Int = 1,
        _ change: @escaping @Sendable (inout SimulatedReceipt) -> Void = { _ in }
    ) -> SignedForm {
        SignedForm(name: "app receipt: \(name)", kind: .appReceipt, refusal: refusal) {
            let signer = try AppReceiptSigner(style: style)
            var receipt = receipt(count)
            change(&receipt)
            return Example(
                proof: try signer.base64(receipt),
                root: signer.rootDER,
                transactionID: receipt.purchases.first?.transactionId
            )
        }
    }

    private static func receipt(_ count: Int) -> SimulatedReceipt {
        SimulatedReceipt(
            bundleId: bundleID,
            creationDate: newYear2026,
            purchases: (0..<count).map { _ in sale() }
        )
    }

    private static func style(_ change: (inout ReceiptStyle) -> Void) -> ReceiptStyle {
        var style = ReceiptStyle()
        change(&style)
        return style
    }

    private static let written = [
        appReceipt("short", nil), appReceipt("empty", nil, purchases: 0),
        appReceipt("long", nil, purchases: 500),
        appReceipt("signed attributes", nil, style: style { $0.signsAttributes = true }),
        appReceipt("indefinite lengths", nil, style: style { $0.isIndefinite = true }),
        appReceipt("content in a string of its own", nil, style: style { $0.isDouble = true }),
        appReceipt("SHA-1", nil, style: style { $0.digest = .sha1 }),
        appReceipt("before SHA-1's end", nil, style: style { $0.chainDigest = .sha1 }) {
            $0.creationDate = summer2021
        },
        appReceipt("after SHA-1's end", .expiredCertificate, style: style { $0.chainDigest = .sha1 }),
    ]

    private static let flawed = ReceiptFlaw.allCases.map { flaw in
        appReceipt("\(flaw)", refusal(of: flaw), style: ReceiptStyle(flaw: flaw))
    }

    private static func refusal(of flaw: ReceiptFlaw) -> Refusal {
        switch flaw {
        case .expiredLeaf, .expiredIntermediate: .expiredCertificate
        case .selfSigned: .unsigned
        case .forgedSignature, .tamperedContent: .badSignature
        case .withoutSigner, .twoSigners: .malformed
        case .unmarkedLeaf, .unmarkedIntermediate, .forgedLeaf, .forgedIntermediate,
            .leafWithoutDigitalSignature,
            .withoutLeaf, .withoutIntermediate, .withoutRoot, .otherSigner, .unknownDigest:
            .untrusted
        }
    }

    private static let unsigned = [0, 1].map { count in
        appReceipt(
            "of Xcode with \(count) purchases",
            .unsigned,
            style: style {
                $0.flaw = .selfSigned
                $0.isIndefinite = true
            },
            purchases: count
        ) {
            $0.receiptType = "Xcode"
            if count > 0 { $0.purchases[0].transactionId = "0" }
        }
    }

    private static let signedByNobody = SignedForm(
        name: "app receipt: signed by nobody",
        kind: .appReceipt,
        refusal: .untrusted
    ) {
        let receipt = Self.receipt(1)
        return Example(
            proof: Data(AppReceiptSigner.unsigned(content: receipt.content)).base64EncodedString(),
            transactionID: receipt.purchases.first?.transactionId
        )
    }

    private static let transactionReceipts = [
        SignedForm(name: "transaction receipt: short", kind: .transactionReceipt, refusal: .unverified) {
            Example(proof: AppStoreSigner.transactionReceipt(naming: "33993399"), transactionID: "33993399")
        },
        SignedForm(name: "transaction receipt: long", kind: .transactionReceipt, refusal: .unverified) {
            let sale = Self.sale()
            let proof = try AppStoreSigner().transactionReceipt(of: sale)
            return Example(proof: proof, transactionID: sale.transactionId)
        },
    ]
}
