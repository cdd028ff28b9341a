/// One entry of a `ProofStore`.
public enum KeptRecord: Codable, Equatable, Sendable {
    /// What shows that somebody has paid.
    case proof(Proof)
    /// What somebody has begun to buy.
    case purchase(KeptPurchase)

    /// Names the record among all; a record that is kept takes the place of one with the same key.
    public var key: String {
        switch self {
        case .proof(let proof): Self.proofKey(proof.transactionID)
        case .purchase(let purchase): "purchase-\(purchase.token)"
        }
    }

    static func proofKey(_ transactionID: String) -> String { "proof-\(transactionID)" }
}
