import AppStore
import Contracts
import Domain
import Foundation
import ReceiptsCore

/// What a proof states of purchases, when nobody could check who signed it.
///
/// Whoever writes a proof himself may state one purchase many times, each time another date, in the hope that one of
/// them is right. So every purchase about a transaction must be what Apple says of it; one that is not makes the whole
/// proof a forgery.
struct UnverifiedPurchases {
    /// Most purchases of one proof that are compared: Apple's receipts list some hundreds.
    static let maximumPurchases = 2_000

    private struct Purchase {
        let id: TransactionID
        let original: String
        let agrees: (SignedTransaction) -> Bool

        /// Whether it speaks of this transaction, as itself or as one that restores it.
        func names(_ transaction: SignedTransaction) -> Bool {
            id.rawValue == transaction.transactionId
                || (transaction.type == ProductType.nonConsumable
                    && original == transaction.transactionId)
        }
    }

    private var purchases: [Purchase] = []
    /// Purchases that cannot be read, or name what is no id of Apple's.
    private var unreadable = 0

    init(_ proof: ProofPart) {
        switch proof.kind {
        case .signedTransaction: break
        case .transactionReceipt:
            guard let purchase = TransactionReceipt.purchase(in: proof.text) else { return }
            add(
                purchase.transactionId,
                purchase.originalTransactionId ?? purchase.transactionId,
                purchase.agrees
            )
        case .appReceipt: addRows(of: proof.text)
        }
    }

    private mutating func addRows(of text: String) {
        guard let bytes = ReceiptText.bytes(ofBase64: text) else { return }
        do {
            let receipt = try AppReceipt(unverified: bytes)
            unreadable += receipt.unreadableRows
            for row in receipt.inApp { add(row.transactionId, row.originalTransactionId, row.agrees) }
        } catch {
            unreadable += 1
        }
    }

    private mutating func add(
        _ id: String,
        _ original: String,
        _ agrees: @escaping (SignedTransaction) -> Bool
    ) {
        guard id.isAppleNumber, let id = TransactionID(rawValue: id),
            purchases.count < Self.maximumPurchases
        else {
            unreadable += 1
            return
        }
        purchases.append(Purchase(id: id, original: original, agrees: agrees))
    }

    /// The transactions that Apple may be asked about, each once.
    var identifiers: [TransactionID] {
        var seen: Set<TransactionID> = []
        return purchases.map(\.id).filter { seen.insert($0).inserted }
    }

    /// What Apple knows of them, as far as they are what Apple says; nil when one of them is not.
    ///
    /// What Apple does not know, or this program cannot read, is counted.
    func findings(_ known: [SignedTransaction]) -> (transactions: [SignedTransaction], unreadable: Int)? {
        var found: [SignedTransaction] = []
        var seen: Set<String> = []
        for transaction in known where seen.insert(transaction.transactionId).inserted {
            let own = purchases.filter { $0.names(transaction) }
            guard own.allSatisfy({ $0.agrees(transaction) }) else { return nil }
            if !own.isEmpty { found.append(transaction) }
        }
        let unknown = purchases.count { purchase in !found.contains { purchase.names($0) } }
        return (found, unknown + unreadable)
    }
}

extension String {
    /// Whether it has the form of Apple's ids: digits only, so that it means nothing else in a path.
    var isAppleNumber: Bool {
        !isEmpty && utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}

/// Base64 as Apple takes it: the standard alphabet, padded, in one line.
enum Base64Text {
    static func of(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
