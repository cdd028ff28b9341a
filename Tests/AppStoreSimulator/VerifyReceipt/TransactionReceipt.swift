import AppStoreSigning
import Contracts
import Foundation

/// Reads the receipts of iOS 6 that `AppStoreSigner` writes.
enum TransactionReceipt {
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

    private static func members(_ text: String) -> [String: String] {
        let pairs = text.matches(of: /"([^"]*)"\s*=\s*"([^"]*)"\s*;/).map { (String($0.1), String($0.2)) }
        return Dictionary(pairs) { first, _ in first }
    }
}
