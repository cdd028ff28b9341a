import Contracts
import Database
import Foundation
import ReceiptsCore

/// What a partition asks Apple, with what is kept from one attempt to the next.
struct AppleQueryRecord: Equatable {
    /// How much it is missed: those before others.
    enum Urgency: Int, CaseIterable {
        /// Somebody waits for the answer.
        case awaited = 0
        /// It may change something that is known already.
        case background = 1
    }

    /// What it is about.
    enum Subject: Equatable {
        /// What a proof is worth.
        case proof(ReceiptID)
        /// Whether Apple took back what a genuine receipt lists.
        ///
        /// One of a buyer's at a time: a later receipt lists what an earlier one did.
        case confirmation(ReceiptID, BuyerID)
        /// What Apple knows of a customer.
        case history(HistoryQuery)
        /// What an operator wants to know.
        case `operator`(AppleAskV1, request: EventID)
    }

    let subject: Subject
    let bundleID: BundleID
    let urgency: Urgency
    /// When it was asked, or asked anew; of an older asking the answer does not count.
    let askedAt: Timestamp
    var query: AppleQuery
    var dueAt: Timestamp
    /// Attempts since Apple's last word.
    var troubles = 0
    /// What stood in the way the last time.
    var trouble: String?

    init(
        _ subject: Subject,
        of bundleID: BundleID,
        to api: AppleAPI,
        urgency: Urgency,
        now: Timestamp
    ) {
        self.subject = subject
        self.bundleID = bundleID
        self.urgency = urgency
        askedAt = now
        query = AppleQuery(to: api)
        dueAt = now
    }

    /// One query of a subject at a time.
    var id: String { Self.id(of: subject, in: bundleID) }

    /// The id of the query about a subject.
    static func id(of subject: Subject, in bundleID: BundleID) -> String {
        switch subject {
        case .proof(let receipt): "proof/\(receipt.rawValue)"
        case .confirmation(_, let buyer): "confirmation/\(bundleID.rawValue)/\(buyer.rawValue)"
        case .history(let history): "history/\(bundleID.rawValue)/\(history.name)"
        case .operator(_, let request): "operator/\(request.rawValue)"
        }
    }
}

/// Asks for what a customer bought.
struct HistoryQuery: Codable, Equatable {
    let environment: Environment
    /// Any transaction of the customer's.
    let transactionId: TransactionID
    /// Nothing that was bought before is asked for; nil for everything.
    var since: Timestamp?
    /// The place of the page that is next.
    var page: String?

    /// The query's own part of its id.
    var name: String { "\(environment.rawValue)/\(transactionId.rawValue)" }
}

extension AppleQueryRecord {
    /// The query asked anew, and not for less than before.
    func widened(by known: AppleQueryRecord?) -> AppleQueryRecord {
        guard case .history(var query) = subject, case .history(let earlier)? = known?.subject else {
            return self
        }
        query.since = query.since.flatMap { since in earlier.since.map { min($0, since) } }
        var row = AppleQueryRecord(
            .history(query),
            of: bundleID,
            to: self.query.api,
            urgency: urgency,
            now: askedAt
        )
        row.dueAt = dueAt
        return row
    }

    /// The columns that `init(row:)` reads.
    static let columns = """
        query_id, bundle_id, api, kind, content, urgency, asked_at, due_at, attempts, refusals, troubles, \
        trouble
        """

    /// The record in a row of `columns`.
    init(row: Row) throws(StoreError) {
        guard let api = AppleAPI(rawValue: try row.text(2)) else {
            throw .corrupt("apple_query.api")
        }
        guard let urgency = Urgency(rawValue: try row.int(5)) else { throw .corrupt("apple_query.urgency") }
        self.init(
            try Self.subject(kind: try row.text(3), try row.text(4), id: try row.text(0)),
            of: BundleID(unchecked: try row.text(1)),
            to: api,
            urgency: urgency,
            now: Timestamp(milliseconds: try row.integer(6))
        )
        dueAt = Timestamp(milliseconds: try row.integer(7))
        query = AppleQuery(to: api, attempts: try row.int(8), refusals: try row.int(9))
        troubles = try row.int(10)
        trouble = try row.optionalText(11)
    }

    /// The values of `columns`.
    func values() throws -> [Value] {
        let (kind, content) = try content()
        return [
            .text(id), .text(bundleID.rawValue), .text(query.api.rawValue), .text(kind),
            .text(content),
            Value(urgency.rawValue), .integer(askedAt.milliseconds), .integer(dueAt.milliseconds),
            Value(query.attempts), Value(query.refusals), Value(troubles), Value(trouble),
        ]
    }

    /// The name of the subject's kind in the table, and what it holds besides.
    private func content() throws -> (kind: String, text: String) {
        switch subject {
        case .proof(let receipt): ("proof", receipt.rawValue)
        case .confirmation(let receipt, _): ("confirmation", receipt.rawValue)
        case .history(let history): ("history", try Self.text(history))
        case .operator(let ask, _): ("operator", try Self.text(ask))
        }
    }

    private static func text(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }

    private static func subject(kind: String, _ text: String, id: String) throws(StoreError) -> Subject {
        do {
            switch kind {
            case "proof": return .proof(ReceiptID(unchecked: text))
            case "confirmation":
                let buyer = id.split(separator: "/", maxSplits: 2).last.map(String.init) ?? ""
                return .confirmation(ReceiptID(unchecked: text), BuyerID(unchecked: buyer))
            case "history":
                return .history(try JSONDecoder().decode(HistoryQuery.self, from: Data(text.utf8)))
            case "operator":
                let request = id.dropFirst("operator/".count)
                return .operator(
                    try JSONDecoder().decode(AppleAskV1.self, from: Data(text.utf8)),
                    request: EventID(unchecked: String(request))
                )
            default: throw StoreError.corrupt("apple_query.kind")
            }
        } catch let error as StoreError {
            throw error
        } catch {
            throw .corrupt("apple_query.content")
        }
    }
}
