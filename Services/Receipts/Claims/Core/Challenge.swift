import Contracts
import Domain

/// How far it has come that a held purchase turns out to be another buyer's.
///
/// Tested by: `ChallengeTests`.
///
/// Only Apple's signed token takes a purchase from its holder, and in one case an order that was there before its
/// payment. Orders says whom they name, which pays nothing; then the ledger takes access back; then the purchase pays
/// an order of the newcomer, who holds it with the next transfer. Submissions that come meanwhile wait as rows.
///
/// | from \ event | weighed  | Orders names the holder, or nobody | another buyer      | taken               | kept        | held by a later transfer |
/// |--------------|----------|------------------------------------|--------------------|---------------------|-------------|--------------------------|
/// | none         | `asking` | stale                              | stale              | –                   | –           | moved                    |
/// | asking       | again    | *next*                             | `taking`, or parks | –                   | –           | moved                    |
/// | taking       | again    | stale                              | stale              | the next ledger, then `moving` | *next*, parks | moved             |
/// | moving       | again    | stale                              | stale              | again               | again       | moved, unless by an earlier transfer |
///
/// - *weighed*: the purchase is held and a signed token is stated that nobody was asked about; or a submission names an
///   order, and the holder is a weak one (`ClaimFirmness`). A renewal that is no deed repeats a token, which weighs
///   nothing.
/// - *next*: what came meanwhile is weighed, first a token, then orders that waiting submissions name; else none.
/// - *parks*: the newcomer's submissions wait for an operator, because what gave amounts stays whole. Several may be
///   parked; whom a signed token names comes first.
///
/// What each crash leaves, and who goes on:
///
/// | the last commit before the crash, or in a restored store | who goes on |
/// |---|---|
/// | `asking` | the link to Orders; a redrive asks again |
/// | `taking` | the link to Entitlements; a redrive asks again, and is answered again |
/// | the ledger has taken it, and Receipts is an older copy | the ledger's redrive says so; the claim is `moving` once it is held |
/// | `moving` | the links to both partitions of Orders; a redrive sends both again |
/// | the newcomer's order is paid, and Receipts is an older copy | the redrive of Orders names the newcomer, by the later transfer |
/// | the loser's order is an older copy, and paid again | the redrive of Receipts releases it again |
enum Challenge: Codable, Equatable, Sendable {
    /// Orders is asked whom a token or an order names; with the number of the request.
    case asking(ClaimCandidate, attempt: Int)
    /// The first of these buyers' ledgers is asked to take it back, then the others: that of who paid and that of the
    /// holder.
    case taking(Newcomer, from: [BuyerID])
    /// The ledger has taken it back, by this transfer; the newcomer's order is awaited.
    case moving(Newcomer, transfer: Int)

    /// Why a newcomer's submission waits for an operator.
    static let parkReason = "heldOnWeakerEvidence"

    /// To whom it goes.
    struct Newcomer: Codable, Equatable, Sendable {
        let buyer: BuyerID
        /// The order that it may pay; nil for one on the spot.
        var order: OrderID?
        /// By which evidence, or by whose decision.
        let evidence: HolderEvidence

        /// Why the ledger is asked.
        var cause: TransferCause { evidence == .reassigned ? .reassign : .evidence }
    }
}
