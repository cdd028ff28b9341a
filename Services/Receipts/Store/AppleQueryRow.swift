import Contracts
import Database
import Delivery
import ReceiptsCore

extension AppleQuery {
    static let columns = """
        query_id, bundle_id, api, kind, content, urgency, asked_at, due_at, attempts, refusals, failures, problem
        """

    init(row: Row) throws(StoreError) {
        guard let api = AppleAPI(rawValue: try row.text(2)) else { throw .corrupt("apple_query.api") }
        guard let urgency = Urgency(rawValue: try row.int(5)) else { throw .corrupt("apple_query.urgency") }
        self.init(
            try Self.subject(kind: try row.text(3), try row.text(4), id: try row.text(0)),
            of: BundleID(unchecked: try row.text(1)),
            to: api,
            urgency: urgency,
            askedAt: Timestamp(milliseconds: try row.integer(6)),
            dueAt: Timestamp(milliseconds: try row.integer(7)),
            attempts: try row.int(8),
            refusals: try row.int(9),
            failures: try row.int(10),
            problem: try row.optionalText(11)
        )
    }

    func values() throws -> [Value] {
        let (kind, content) = try content()
        return [
            .text(id), .text(bundleID.rawValue), .text(api.rawValue), .text(kind), .text(content),
            Value(urgency.rawValue), .integer(askedAt.milliseconds), .integer(dueAt.milliseconds),
            Value(attempts), Value(refusals), Value(failures), Value(problem),
        ]
    }

    /// The name of the subject's kind in the table, and its other contents.
    func content() throws -> (kind: String, text: String) {
        switch subject {
        case .proof(let receipt): ("proof", receipt.rawValue)
        case .confirmation(let receipt, _): ("confirmation", receipt.rawValue)
        case .history(let query):
            ("history", try JSONColumn.text(query))
        }
    }

    private static func subject(kind: String, _ text: String, id: String) throws(StoreError) -> Subject {
        switch kind {
        case "proof": return .proof(ReceiptID(unchecked: text))
        case "confirmation":
            let buyer = id.split(separator: "/", maxSplits: 2).last.map(String.init) ?? ""
            return .confirmation(ReceiptID(unchecked: text), BuyerID(unchecked: buyer))
        case "history":
            return .history(try JSONColumn.value(of: text))
        default: throw .corrupt("apple_query.kind")
        }
    }
}
