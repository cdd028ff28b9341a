package import Contracts
import Foundation

extension AppStoreSigner {
    /// The receipt of one transaction as apps had it until iOS 6, in base64: a property list of NeXT's with a
    /// signature.
    ///
    /// Nobody but Apple can check its signature. Here it is made by the leaf key.
    package func transactionReceipt(of transaction: SignedTransaction) throws -> String {
        let original = transaction.originalPurchaseDate ?? transaction.purchaseDate
        var info = [
            ("transaction-id", transaction.transactionId),
            ("original-transaction-id", transaction.originalTransactionId),
            ("product-id", transaction.productId),
            ("bid", transaction.bundleId),
            ("bvrs", "1.0"),
            ("quantity", String(transaction.quantity)),
            ("purchase-date", LegacyDate.text(transaction.purchaseDate, in: "Etc/GMT")),
            ("purchase-date-ms", String(transaction.purchaseDate)),
            ("original-purchase-date-ms", String(original)),
        ]
        if let expires = transaction.expiresDate { info.append(("expires-date", String(expires))) }
        let purchaseInfo = Data(Self.list(info).utf8)
        let signature = try signature(of: Array(purchaseInfo))
        var members = [
            ("signature", Data(signature).base64EncodedString()),
            ("purchase-info", purchaseInfo.base64EncodedString()),
        ]
        if transaction.environment == Environment.sandbox.rawValue {
            members.append(("environment", "Sandbox"))
        }
        members += [("pod", "100"), ("signing-status", "0")]
        return Data(Self.list(members).utf8).base64EncodedString()
    }

    /// The least of such receipts: it names its transaction and nothing else, and nobody signed it.
    package static func transactionReceipt(naming transactionID: String) -> String {
        let info = Data(list([("transaction-id", transactionID)]).utf8).base64EncodedString()
        return Data(list([("purchase-info", info)]).utf8).base64EncodedString()
    }

    private static func list(_ members: [(String, String)]) -> String {
        "{\n" + members.map { "\t\"\($0)\" = \"\($1)\";\n" }.joined() + "}"
    }
}
