import Foundation

/// A transaction of StoreKit's, as the app gets it.
struct Payment: Equatable, Sendable {
    let transactionID: String
    let productID: String
    /// The order for which the buyer paid, if the app gave one.
    let appAccountToken: String?
    /// Nil where StoreKit has nothing but the app receipt.
    let signedTransaction: String?

    /// Made to look like Apple's: what is in it may be read, and the played gateway knows it by its text.
    init(
        transactionID: String,
        productID: String,
        appAccountToken: String? = nil,
        isRefunded: Bool = false,
        at time: Int64
    ) throws {
        var content: [String: Any] = [
            "bundleId": PlayedWorld.bundleID, "environment": "Production", "inAppOwnershipType": "PURCHASED",
            "originalTransactionId": transactionID, "productId": productID, "purchaseDate": time,
            "quantity": 1,
            "signedDate": time, "transactionId": transactionID, "type": "Consumable",
        ]
        content["appAccountToken"] = appAccountToken
        if isRefunded { content["revocationDate"] = time }
        self.init(
            transactionID: transactionID,
            productID: productID,
            appAccountToken: appAccountToken,
            signedTransaction: try SignedText.make(content, header: ["alg": "ES256", "kid": "played"])
        )
    }

    init(transactionID: String, productID: String, appAccountToken: String?, signedTransaction: String?) {
        self.transactionID = transactionID
        self.productID = productID
        self.appAccountToken = appAccountToken
        self.signedTransaction = signedTransaction
    }

    /// The same one as an old StoreKit has it: the receipt alone proves it.
    var withoutProof: Payment {
        Payment(
            transactionID: transactionID,
            productID: productID,
            appAccountToken: appAccountToken,
            signedTransaction: nil
        )
    }

    /// Its members in an event.
    var members: [String: String] {
        var members = ["transactionId": transactionID, "productId": productID]
        members["appAccountToken"] = appAccountToken
        members["signedTransaction"] = signedTransaction
        return members
    }
}

/// Text in the form of a JWS; its signature proves nothing.
enum SignedText {
    static func make(_ content: [String: Any], header: [String: Any]) throws -> String {
        let parts = try [header, content].map { part in
            try JSONSerialization.data(withJSONObject: part, options: [.sortedKeys, .withoutEscapingSlashes])
        }
        return (parts + [Data(repeating: 0x5A, count: 64)]).map(base64URL).joined(separator: ".")
    }

    private static func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
            "=",
            with: ""
        )
    }
}
