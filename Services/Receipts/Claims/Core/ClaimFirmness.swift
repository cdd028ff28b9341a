import Contracts
import Domain

/// How firmly a held purchase is its holder's, where a submission of another buyer names an order.
///
/// Tested by: `WeakEvidenceTests`.
///
/// | the holder has it                                                        | an order from before the payment |
/// |--------------------------------------------------------------------------|----------------------------------|
/// | by a restore, a move or an operator's decision, or seats of a period     | changes nothing                  |
/// | with the chain, no phone having handed it in, for a running period that was bought without a token | takes it |
/// | as who handed it in first, or by an app receipt                          | is parked                        |
/// | with the chain, no phone having handed it in, for any other purchase     | is parked                        |
/// | otherwise                                                                | changes nothing                  |
///
/// Orders are free and proofs are copied, so that a hint takes nothing from who has handed a proof in as their own
/// (`Claim.isHandedIn`).
enum ClaimFirmness: Equatable, Sendable {
    case open, weak, firm

    init(_ claim: Claim, _ signed: SignedTransaction, now: Timestamp) {
        let isBought =
            signed.isPeriod && signed.transactionReason == "PURCHASE" && signed.isWhole && !signed.isAddition
        let isRunning =
            signed.revocationDate == nil && signed.expiresDate.map { now.milliseconds < $0 } ?? false
        let isFirst = claim.heldBy == .caller || claim.heldBy == .holder
        if claim.state.holder?.transferred != nil || claim.heldBy == .reassigned {
            self = .firm
        } else if isFirst, isBought, isRunning, claim.facts?.token == nil, !claim.isHandedIn {
            self = .open
        } else {
            let isUnseen = claim.heldBy == .holder && isBought && !claim.isHandedIn
            self = claim.heldBy == .caller || claim.facts?.isWhole != true || isUnseen ? .weak : .firm
        }
    }
}
