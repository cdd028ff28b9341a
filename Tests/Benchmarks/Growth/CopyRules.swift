/// How the copy of a row differs from it: other ids, so that a copied buyer has copied purchases of its own.
///
/// Orders follow each other in time, and every other id keeps its place among its neighbours, so that the copies lie
/// all over each index, as real purchases do. A column that no rule knows is copied as it is; where its values must be
/// unique, the store refuses the copy.
struct CopyRules {
    /// The columns of one table.
    let columns: [String]

    private static let buyers: Set = ["buyer_id", "proposer_id", "submitter_id", "reference"]
    private static let transactions: Set = [
        "transaction_id", "original_transaction_id", "purchase_id", "proposer_transaction_id",
        "about",
    ]
    private static let orders: Set = ["order_id", "order_hint", "proposer_hint", "token"]
    private static let receipts: Set = ["receipt_id", "proposer_receipt_id"]
    /// JSON with the ids of the row's other columns.
    private static let documents: Set = [
        "facts", "signed_transaction", "document", "transaction_ids", "body",
    ]
    private static let events: Set = ["entry_id", "undoes", "change_id", "request_id"]

    /// Whether its rows belong to purchases.
    var isOfPurchases: Bool { !Self.receipts.union(Self.buyers).isDisjoint(with: columns) }

    /// What the copies have in each column; the number of the copy is the parameter `:copy`.
    var expressions: [String] {
        columns.map { Self.documents.contains($0) ? document($0) : Self.copied($0) ?? $0 }
    }

    /// The digits that mark a copy, eight: no id that was really made has these before the copy's number.
    private static let mark = 0x00F0_0000

    /// The id of an order's copy.
    static func order(_ id: String, _ copy: Int) -> String {
        let digits = String(mark + copy, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits + id.dropFirst(8)
    }

    /// Nil for a column whose value stays.
    private static func copied(_ column: String) -> String? {
        // No transaction stays none.
        if buyers.contains(column) || transactions.contains(column) {
            return "iif(\(column) = '', '', \(column) || '.' || :copy)"
        }
        // The time of a UUID, and the end of a hash.
        if orders.contains(column) { return hexadecimal(column, from: 1) }
        if receipts.contains(column) { return hexadecimal(column, from: 42) }
        let isEvent = ["_event", "_cause", "event_id", "cause_id", "causation_id"].contains {
            column.hasSuffix($0)
        }
        return isEvent || events.contains(column) ? hexadecimal(column, from: 25) : nil
    }

    /// The text with the copy's mark in place of eight digits; NULL stays NULL.
    private static func hexadecimal(_ column: String, from place: Int) -> String {
        "substr(\(column), 1, \(place - 1)) || printf('%08x', \(mark) + :copy) || substr(\(column), \(place + 8))"
    }

    private func document(_ column: String) -> String {
        columns.filter(Self.isNamedInDocuments).reduce(column) { text, name in
            guard let copy = Self.copied(name) else { return text }
            return [("", ""), ("upper(", ")")].reduce(text) { text, shape in
                // Without an id in this row, nothing is replaced.
                let id = "ifnull('\"' || \(shape.0)\(name)\(shape.1) || '\"', 'no id')"
                return "replace(\(text), \(id), ifnull('\"' || \(shape.0)\(copy)\(shape.1) || '\"', ''))"
            }
        }
    }

    private static func isNamedInDocuments(_ column: String) -> Bool {
        buyers.union(transactions).union(orders).union(receipts).contains(column)
    }
}
