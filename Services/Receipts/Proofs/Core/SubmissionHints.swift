import Contracts

/// What a submission says of whose it is, as far as its proof bears that out.
///
/// Tested by: `SubmissionHintsTests`.
///
/// What Apple states, the token and the other periods of a subscription, counts whatever the proof is.
///
/// | the proof                                          | the order that is named | the submitter |
/// |----------------------------------------------------|-------------------------|---------------|
/// | anything that Apple signed, or a receipt for Apple | is a candidate          | is a candidate |
/// | the same, which another login has bought           | is a candidate          | is none       |
/// | a transaction's id alone                           | is none                 | is none       |
///
/// Orders are free, and whoever knows an id may have one from before the payment. If it counted, he would make himself,
/// or any buyer, the candidate that the id does not make him, and the phone that has paid would be told that the
/// purchase is another's. Who hands in a proof has at least had a copy of it in hand. A receipt that nobody can check
/// counts if it states what a stranger does not know, product and purchase date (`UnverifiedPurchase`).
struct SubmissionHints: Equatable, Sendable {
    /// The order that counts.
    let order: String?
    /// Whether the submitter is no candidate.
    let isForAnother: Bool

    init(of kind: ProofKind, purchasedBy: BuyerID?, order: String?) {
        switch kind {
        case .signedTransaction, .appReceipt, .transactionReceipt:
            (self.order, isForAnother) = (order, purchasedBy != nil)
        case .transactionId:
            (self.order, isForAnother) = (nil, true)
        }
    }
}
