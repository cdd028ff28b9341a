import Foundation

/// The body of `POST /v1/orders`.
struct OrderRequest: Encodable, Sendable {
    let bundleId: String
    let buyerId: String
    let productId: String
    let quantity: Int
    let reference: String?
}

/// What the load generator reads of an order.
struct OrderAnswer: Decodable, Sendable {
    let orderId: UUID
    let appAccountToken: String
    let state: String
}

/// The body of `POST /v1/receipts`, without the proof.
struct SubmissionRequest: Encodable, Sendable {
    let bundleId: String
    let buyerId: String
    let orderId: String?
}

/// What the load generator reads of a verdict.
struct ReceiptAnswer: Decodable, Sendable {
    let receiptId: String
    let verdict: String
    let finish: Bool
    var reason: String?

    /// Whether the gateway's home does not trust whoever signed the payment, so that no payment of this run counts.
    var isUntrusted: Bool { verdict == "parked" && reason == "untrusted" }

    /// Whether it says that the goods are in the ledger.
    var isGranted: Bool { verdict == "granted" }
}

/// A page of a ledger.
struct LedgerAnswer: Decodable, Sendable {
    struct Entry: Decodable, Sendable {
        let entryId: String
        let kind: String
        let entitlement: String
        let amount: Int64
        let transactionId: String
        let orderId: UUID
        let reference: String?
        /// Milliseconds since 1970.
        let time: Int64
    }

    let entries: [Entry]
    let next: String?
}
