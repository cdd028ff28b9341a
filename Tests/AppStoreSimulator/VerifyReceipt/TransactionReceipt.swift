import AppStoreSigning
import Contracts
import Foundation

/// The receipt of one transaction as apps had it until iOS 6: a property list of NeXT's with a signature.
///
/// Nobody but Apple can check its signature. Here it is the store's own, by its leaf key.
enum TransactionReceipt {
    /// The receipt's text in base64, as StoreKit hands it to an app.
    static func make(_ transaction: SignedTransaction, signer: AppStoreSigner) throws -> String {
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
        let purchaseInfo = Data(list(info).utf8)
        let signature = try signer.signature(of: Array(purchaseInfo))
        var members = [
            ("signature", Data(signature).base64EncodedString()),
            ("purchase-info", purchaseInfo.base64EncodedString()),
        ]
        if transaction.environment == StoreEnvironment.sandbox.rawValue {
            members.append(("environment", "Sandbox"))
        }
        members += [("pod", "100"), ("signing-status", "0")]
        return Data(list(members).utf8).base64EncodedString()
    }

    static func read(_ bytes: [UInt8], signer: AppStoreSigner) throws(ReceiptStatus) -> ReceiptContent {
        let outer = members(String(decoding: bytes, as: UTF8.self))
        guard let info = outer["purchase-info"].flatMap({ Data(base64Encoded: $0) }) else { throw .malformed }
        guard let signature = outer["signature"].flatMap({ Data(base64Encoded: $0) }),
            signer.made(signature: Array(signature), of: Array(info))
        else { throw .notAuthentic }
        let inner = members(String(decoding: info, as: UTF8.self))
        let environment: StoreEnvironment = outer["environment"] == "Sandbox" ? .sandbox : .production
        guard let id = inner["transaction-id"] else { throw .malformed }
        var transaction = SignedTransaction(
            transactionId: id,
            originalTransactionId: inner["original-transaction-id"] ?? id,
            bundleId: inner["bid"] ?? "",
            productId: inner["product-id"] ?? "",
            purchaseDate: inner["purchase-date-ms"].flatMap(Int64.init) ?? 0,
            quantity: inner["quantity"].flatMap(Int.init) ?? 1,
            type: "",
            environment: environment.rawValue,
            signedDate: 0
        )
        transaction.originalPurchaseDate = inner["original-purchase-date-ms"].flatMap(Int64.init)
        transaction.expiresDate = inner["expires-date"].flatMap(Int64.init)
        return ReceiptContent(
            form: .transaction,
            environment: environment,
            bundleId: transaction.bundleId,
            transactions: [transaction]
        )
    }

    private static func list(_ members: [(String, String)]) -> String {
        "{\n" + members.map { "\t\"\($0)\" = \"\($1)\";\n" }.joined() + "}"
    }

    private static func members(_ text: String) -> [String: String] {
        let pairs = text.matches(of: /"([^"]*)"\s*=\s*"([^"]*)"\s*;/).map { (String($0.1), String($0.2)) }
        return Dictionary(pairs) { first, _ in first }
    }
}
