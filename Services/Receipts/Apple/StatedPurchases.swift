import AppStore
import Contracts
import Foundation
import ReceiptsCore

/// What a proof states of purchases, when nobody could check who signed it.
struct StatedPurchases {
    private let purchases: [(id: TransactionID, agrees: (SignedTransaction) -> Bool)]

    init(_ proof: ProofPart) {
        switch proof.kind {
        case .signedTransaction: purchases = []
        case .transactionReceipt:
            let purchase = TransactionReceipt.purchase(in: proof.text)
            purchases = [purchase].compactMap(\.self).compactMap { purchase in
                TransactionID(rawValue: purchase.transactionId).map { ($0, purchase.agrees) }
            }
        case .appReceipt: purchases = Self.rows(of: proof.text)
        }
    }

    private static func rows(of text: String) -> [(id: TransactionID, agrees: (SignedTransaction) -> Bool)] {
        guard let bytes = ReceiptText.bytes(ofBase64: text) else { return [] }
        do {
            return try AppReceipt(unverified: bytes).inApp.compactMap { row in
                TransactionID(rawValue: row.transactionId).map { ($0, row.agrees) }
            }
        } catch {
            return []
        }
    }

    /// The transactions that Apple may be asked about.
    var identifiers: [TransactionID] { purchases.map(\.id) }

    /// Those of Apple's transactions that the proof tells as they are, each once.
    func agreeing(_ known: [SignedTransaction]) -> [SignedTransaction] {
        var seen: Set<String> = []
        return known.filter { transaction in
            purchases.contains { $0.agrees(transaction) } && seen.insert(transaction.transactionId).inserted
        }
    }
}

/// Base64 as Apple takes it: the standard alphabet, padded, in one line.
enum Base64Text {
    static func of(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
