import Contracts
import Database
import ReceiptsCore

struct ClaimRecord: Equatable {
    /// A message that changed the claim, as `trace` shows it.
    struct Step: Equatable {
        let time: Timestamp
        let eventID: String
        let causeID: String?

        init(time: Timestamp, eventID: String, causeID: String?) {
            self.time = time
            self.eventID = eventID
            self.causeID = causeID
        }

        init(_ message: Event<some Contract>, at time: Timestamp) {
            self.init(time: time, eventID: message.id.rawValue, causeID: message.causationID?.rawValue)
        }
    }

    /// The row that an update must find.
    struct Mark: Equatable {
        let state: String
        let attempt: Int
        let since: Timestamp
    }

    let key: PurchaseKey
    let originalTransactionID: TransactionID
    var claim: Claim
    /// The message with the first proof or statement of one of its transactions.
    let verified: Step
    var answered: Step?
    /// The row as it was read; nil for a new one.
    let stored: Mark?
}

extension Claim.State {
    static let lookupKind = "lookup"

    var name: String {
        switch self {
        case .unclaimed: "unclaimed"
        case .lookingUp, .proposed: "proposed"
        case .held: "held"
        case .orphan: "orphan"
        }
    }

    var candidateColumns: (kind: String, text: String)? {
        switch self {
        case .lookingUp(let open): (Self.lookupKind, open.map(\.column).joined(separator: " "))
        case .proposed(let candidate): candidate.columns
        case .unclaimed, .held, .orphan: nil
        }
    }
}

extension PendingLookup {
    /// Its form in the table, where spaces separate several.
    fileprivate var column: String { "\(partition):\(attempt)" }

    static func all(in column: String) -> [PendingLookup]? {
        let queries = column.split(separator: " ").compactMap { text -> PendingLookup? in
            let numbers = text.split(separator: ":").compactMap { Int($0) }
            return numbers.count == 2 ? PendingLookup(to: numbers[0], attempt: numbers[1]) : nil
        }
        return queries.isEmpty ? nil : queries
    }
}

extension ClaimRecord {
    init(_ facts: TransactionFacts, _ step: Step) {
        self.init(
            key: PurchaseKey(facts),
            originalTransactionID: facts.originalTransactionId,
            claim: Claim(),
            verified: step,
            answered: nil,
            stored: nil
        )
    }
}

extension ClaimCandidate {
    var columns: (kind: String, text: String) {
        switch self {
        case .token(let token): ("token", token)
        case .registered(let buyer): ("registered", buyer.rawValue)
        case .order(let order): ("order", order.rawValue)
        case .caller(let buyer): ("caller", buyer.rawValue)
        }
    }

    init?(kind: String, text: String) {
        switch kind {
        case "token": self = .token(text)
        case "registered": self = .registered(BuyerID(unchecked: text))
        case "order": self = .order(OrderID(unchecked: text))
        case "caller": self = .caller(BuyerID(unchecked: text))
        default: return nil
        }
    }
}
