import AppStore
import Contracts
import Domain
import FoundationEssentials

/// The purchases that a proof lists if its signature could not be checked.
///
/// A forger may list one purchase with many dates, hoping that one is right. So every entry must match Apple's
/// transaction; one mismatch makes the whole proof a forgery.
struct UnverifiedPurchases {
    /// Most entries of one proof that are compared: Apple's receipts list some hundreds.
    static let maximumEntries = 2_000

    private struct Entry {
        let id: TransactionID
        let original: String
        let agrees: (SignedTransaction) -> Bool

        /// Whether it is about this transaction, as itself or as one that restores it.
        func names(_ transaction: SignedTransaction) -> Bool {
            id.rawValue == transaction.transactionId
                || (transaction.type == ProductType.nonConsumable
                    && original == transaction.transactionId)
        }
    }

    private var entries: [Entry] = []
    /// Entries that are unreadable or whose id is not Apple's.
    private var unreadable = 0

    init(_ proof: ProofText) {
        switch proof.kind {
        case .signedTransaction: break
        case .transactionReceipt:
            guard let purchase = TransactionReceipt.purchase(in: proof.text) else { return }
            let original = purchase.originalTransactionId ?? purchase.transactionId
            add(purchase.transactionId, original, purchase.agrees)
        case .appReceipt: addRows(of: proof.text)
        // It says nothing that Apple could contradict.
        case .transactionId: add(proof.text, proof.text) { _ in true }
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
        guard id.isAppleNumber, let id = TransactionID(rawValue: id), entries.count < Self.maximumEntries
        else {
            unreadable += 1
            return
        }
        entries.append(Entry(id: id, original: original, agrees: agrees))
    }

    var identifiers: [TransactionID] {
        var seen: Set<TransactionID> = []
        return entries.map(\.id).filter { seen.insert($0).inserted }
    }

    /// The listed transactions that Apple knows, and how many others are unreadable or unknown; nil for a
    /// contradiction.
    func match(_ known: [SignedTransaction]) -> ProofContents? {
        var found: [SignedTransaction] = []
        var seen: Set<String> = []
        for transaction in known where seen.insert(transaction.transactionId).inserted {
            let own = entries.filter { $0.names(transaction) }
            guard own.allSatisfy({ $0.agrees(transaction) }) else { return nil }
            if !own.isEmpty { found.append(transaction) }
        }
        let unknown = entries.count { entry in !found.contains { entry.names($0) } }
        return ProofContents(transactions: found, unreadable: unknown + unreadable)
    }
}
