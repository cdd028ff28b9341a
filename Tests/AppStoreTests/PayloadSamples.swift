import AppStore
import AppStoreSigning
import Contracts

/// One small payload of each kind, for one app, signed at the beginning of 2026.
enum PayloadSamples {
    static let bundleID = "com.example.game"
    static let appAppleID: Int64 = 1_234_567_890

    /// JSON; `more` is put in at its end.
    static func payload(
        _ kind: SignedDataKind,
        environment: String = "Production",
        more: String = ""
    ) -> String {
        switch kind {
        case .transaction:
            #"""
            {"transactionId":"2","originalTransactionId":"1","bundleId":"\#(bundleID)","productId":"pro",
            "purchaseDate":1767225600000,"type":"Auto-Renewable Subscription",
            "environment":"\#(environment)","signedDate":1767225600000\#(more)}
            """#
        case .renewalInfo:
            #"""
            {"originalTransactionId":"1","autoRenewStatus":1,"environment":"\#(environment)",
            "signedDate":1767225600000\#(more)}
            """#
        case .appTransaction:
            #"""
            {"receiptType":"\#(environment)","bundleId":"\#(bundleID)","appAppleId":\#(appAppleID),
            "receiptCreationDate":1767225600000\#(more)}
            """#
        case .notification:
            notification(type: "TEST", environment: environment, more: more)
        }
    }

    /// A notification that carries items which were signed already.
    static func notification(
        _ items: [SignedItem: String] = [:],
        type: String = "DID_RENEW",
        part: String = "data",
        environment: String = "Production",
        more: String = ""
    ) -> String {
        let items = items.map { #","\#($0.key.rawValue)":"\#($0.value)""# }.joined()
        return #"""
            {"notificationType":"\#(type)","notificationUUID":"u","version":"2.0",
            "signedDate":1767225600000,"\#(part)":{"environment":"\#(environment)",
            "appAppleId":\#(appAppleID),"bundleId":"\#(bundleID)"\#(items)}\#(more)}
            """#
    }
}

extension AppStoreSigner {
    /// A JWS over JSON.
    func sign(json: String) throws -> String { try sign(payload: Array(json.utf8)) }
}

extension String {
    /// The JWS with a signature that was made for other bytes.
    func with(signatureOf other: String) -> String {
        (split(separator: ".").prefix(2) + other.split(separator: ".").suffix(1)).joined(separator: ".")
    }
}

extension SignedTransaction {
    /// A transaction of the samples' app, signed at the beginning of 2026.
    static func sample(
        _ id: String,
        of original: String? = nil,
        _ productId: String,
        _ type: String,
        at purchaseDate: Int64,
        first originalPurchaseDate: Int64? = nil
    ) -> SignedTransaction {
        var transaction = SignedTransaction(
            transactionId: id,
            originalTransactionId: original ?? id,
            bundleId: PayloadSamples.bundleID,
            productId: productId,
            purchaseDate: purchaseDate,
            type: type,
            environment: "Production",
            signedDate: Timestamp.newYear2026.milliseconds
        )
        transaction.originalPurchaseDate = originalPurchaseDate ?? purchaseDate
        return transaction
    }
}

extension SimulatedReceipt {
    /// A receipt of the samples' app, made at the beginning of 2026 unless it says otherwise.
    static func sample(
        _ purchases: [SignedTransaction] = [],
        at creationDate: Timestamp = .newYear2026
    ) -> SimulatedReceipt {
        SimulatedReceipt(bundleId: PayloadSamples.bundleID, creationDate: creationDate, purchases: purchases)
    }
}

extension AppReceiptSigner {
    /// What trusts this signer's root.
    var verifier: AppReceiptVerifier { AppReceiptVerifier(extraRoots: [rootDER]) }
}

extension AppStoreSigner {
    /// What trusts this signer's root.
    var transactions: TransactionVerifier { TransactionVerifier(extraRoots: [rootDER]) }
}
