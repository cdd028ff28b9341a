enum GroupLaw: String, Sendable {
    /// What was acknowledged is kept, and comes to its goods.
    case nothingLost
    /// A purchase has one claim, pays one order and is granted once.
    case nothingTwice
    /// What two chains state as one payment is held in one of them alone.
    case paymentIsHeldOnce
    /// Goods are for the one who holds the claim, and the claim is for whom it belongs to.
    case rightBuyer
    /// The claim is for whom Apple's signed token names, whatever came first.
    case buyerFollowsEvidence
    /// Nobody has what another login has bought for handing it in.
    case neverTheCaller
    /// Goods are what the catalog says of the transaction.
    case rightGoods
    /// No phone is told to finish before the stores say so.
    case noEarlyFinish
    /// Entries sum to zero, balances are their sums, and none falls below its product's rule or by a spend below zero.
    case ledgerBalances
    /// Access is what the facts give that Apple has signed, no more and no less, and time changes it.
    case accessHasFacts
    /// A server that follows what it is told believes what it would be answered.
    case toldAsHeld
    /// Nobody waits for ever.
    case comesToRest
    /// What was said to be durable is: no store contradicts its owner, and no link its other end.
    case durability
    /// A commit log makes the same store as its owner's, table by table.
    case logMakesTheStore
    /// The stores agree with each other, and with the answers.
    case agreement
}

struct GroupViolation: CustomStringConvertible, Sendable {
    let law: GroupLaw
    let what: String

    var description: String { "\(law): \(what)" }
}
