/// One thing that has happened to a purchase, or how it stands now, as the store says that knows it.
package struct DeskFact: Codable, Hashable, Sendable {
    /// What has happened, or how it stands.
    package enum Kind: String, Codable, Sendable, CaseIterable {
        // Orders: `word` is who placed it, why it closed, by which evidence it is paid.
        case ordered
        /// An order that nobody has placed was made for a payment; `word` is why.
        case orderMade
        case closed, reported, paid, released
        /// A step that a phone noted; `word` is the step, `detail` the error.
        case phoneStep
        /// An order is not paid; `next` is when Apple is asked about it.
        case awaitsPayment
        /// An order is paid, and the ledger has not answered.
        case awaitsLedger

        // Receipts: `word` is the reason, the kind of notification, or the evidence.
        case handedIn, proofPending, proofParked, proofInvalid
        case askedApple, appleNotified, notificationParked
        /// What Apple has signed: bought, refunded.
        case bought, refunded
        /// A proof of the purchase came for the first time.
        case verified
        case moved, held
        /// A move that an operator has proposed; `word` is how far it is, `reference` its proposal.
        case moveProposed
        /// Nobody holds the purchase: Apple's word, an answer of Orders, or a candidate is missing.
        case awaitsApple, awaitsOrders, orphan
        /// Another buyer has better evidence than the holder.
        case contested

        // Entitlements: `word` is the reason or the kind of the entry.
        case granted, grantParked, grantReversed, grantVoid, neverGranted
        case entry
        /// What operators gave instead of a purchase; `word` is how far it is, `reference` its proposal.
        case compensated

        // Notifications: `word` is the verdict, or what the app's server answered.
        case phoneTold
        case serverTold, serverRefuses, serverAwaited

        // Apple's order ids.
        case appleOrder, appleOrderUnknown, appleOrderAsked

        // Operators: `word` is the act, `detail` the reason.
        case act
        /// What the ledger has done by itself.
        case ledgerAct
    }

    package var kind: Kind
    /// When it happened, or since when it stands so.
    package var at: Timestamp
    /// Since when it stood so before; of a compensation that has ended, when it was granted.
    package var since: Timestamp?
    package var bundleId: BundleID?
    package var environment: Environment?
    package var orderId: OrderID?
    /// The order's number in the app's own system.
    package var reference: String?
    package var purchaseId: PurchaseID?
    package var transactionId: TransactionID?
    /// Apple's order, where no transaction of it is known.
    package var appleOrderId: AppleOrderID?
    package var receiptId: ReceiptID?
    package var buyerId: BuyerID?
    /// From whom something went, or who else claims it.
    package var otherBuyerId: BuyerID?
    package var productId: ProductID?
    package var quantity: Int?
    /// Milliunits of `currency`.
    package var price: Int64?
    package var currency: String?
    package var entitlement: String?
    /// Of an entitlement.
    package var amount: Int64?
    /// What the kind says: a state, a reason, an evidence, an answer.
    package var word: String?
    package var detail: String?
    /// Attempts that failed; of a compensation, how many transactions its order of Apple's has.
    package var count: Int?
    /// When it is tried again.
    package var next: Timestamp?
    /// Apple's id of the app on the account that bought.
    package var account: String?
    /// The message that led to it.
    package var eventId: EventID?
    package var causationId: EventID?

    package init(_ kind: Kind, at: Timestamp) {
        self.kind = kind
        self.at = at
    }
}
