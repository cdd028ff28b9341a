package import Contracts

/// Whose a purchase is, by Apple's `inAppOwnershipType`.
///
/// What is shared came through somebody else's payment: it gives access, and never amounts.
///
/// | ownership       | who paid                                  | is shared |
/// |-----------------|-------------------------------------------|-----------|
/// | `PURCHASED`     | the buyer                                 | no        |
/// | `FAMILY_SHARED` | a member of the buyer's family            | yes       |
/// | `ASSIGNED`      | who bought the seat that the buyer has    | yes       |
/// | none, or newer  | not stated: it counts as bought           | no        |
///
/// A member's `ASSIGNED` copy states the purchaser's quantity and price tiers. Source: `inAppOwnershipType` of
/// JWSTransactionDecodedPayload, and TransactionMultiSeatInfo.
package enum Ownership {
    package static let purchased = "PURCHASED"
    package static let familyShared = "FAMILY_SHARED"
    package static let assigned = "ASSIGNED"
}

extension TransactionFacts {
    /// Whether somebody else paid for it: it gives access and never amounts.
    package var isShared: Bool {
        inAppOwnershipType == Ownership.familyShared || inAppOwnershipType == Ownership.assigned
    }

    /// Whether it is a member's copy of a seat, which takes no part in its chain.
    package var isAssigned: Bool { inAppOwnershipType == Ownership.assigned }

    /// Whether its period belongs to a commitment of 12 months that is billed by the month.
    package var isOfCommitment: Bool { billingPlanType == "MONTHLY" }

    /// How many units its buyer paid for.
    package var paidUnits: Int { isShared ? 0 : quantity }
}
