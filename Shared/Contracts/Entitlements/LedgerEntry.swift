/// One entry of a buyer's ledger: an amount that moved from one account to another.
///
/// Entries are added and never changed; what takes back names what it undoes.
package struct LedgerEntry: Codable, Hashable, Sendable, DirectlyCoded {
    /// Why an amount moved.
    package enum Kind: String, Codable, Sendable, CaseIterable {
        case grant
        /// Goods taken back after a refund, or because the purchase has turned out to be another buyer's.
        case reversal
        /// Goods given back after a refund was reversed, or because the purchase is this buyer's after all.
        case reinstatement
        /// An amount that the buyer used.
        case spend
        /// An amount that was earned and not bought.
        case credit
        /// An amount given back that was spent.
        case spendReversal
        /// A possession that went to another buyer who restored the purchase.
        case transferOut
        /// A possession that came by restoring another buyer's purchase.
        case transferIn
        /// What makes up for amounts of another buyer's purchase that this one has used.
        case compensation
        /// The same given up again, because the purchase is this buyer's after all.
        case compensationReversal

        /// Whether the amount goes to the buyer's account, and not from it.
        package var isForBuyer: Bool {
            switch self {
            case .grant, .reinstatement, .credit, .spendReversal, .transferIn, .compensation: true
            case .reversal, .spend, .transferOut, .compensationReversal: false
            }
        }
    }

    package var entryId: String
    package var kind: Kind
    package var entitlement: String
    /// At least 1; 1 of a possession.
    package var amount: Int64
    package var from: LedgerAccount
    package var to: LedgerAccount
    /// The entry of the same ledger that this one takes back.
    package var undoes: String?
    /// The purchase's transaction that caused the entry; absent, as all up to `reference`, without a purchase.
    package var transactionId: TransactionID?
    package var purchaseId: PurchaseID?
    package var productId: ProductID?
    package var orderId: OrderID?
    /// What its buyer paid for a grant, in milliunits of `currency`, but of seats their average; with all that follow
    /// up to `storefront`, where Apple says it, and of nothing that is shared.
    package var price: Int64?
    /// How many seats were bought; the entry never changes when some are refunded.
    package var seats: Int?
    /// Milliunits of `currency`: what was paid for all seats.
    package var seatsPrice: Int64?
    package var currency: String?
    package var storefront: String?
    /// Of a grant: the catalog that said what the goods are.
    package var catalogVersion: String?
    /// The order's.
    package var reference: String?
    /// The order's, or that of a spend or credit.
    package var metadata: [String: JSONValue]?
    /// `phone` where the order, and with it the metadata, is a phone's.
    package var issuedBy: OrderV1.Issuer?
    package var environment: Environment
    package var time: Timestamp

    /// An amount between the buyer's account and another one, to where its kind says.
    package init(
        entryId: String,
        kind: Kind,
        entitlement: String,
        amount: Int64,
        of buyer: BuyerID,
        with other: LedgerAccount,
        undoes: String? = nil,
        environment: Environment,
        time: Timestamp
    ) {
        self.entryId = entryId
        self.kind = kind
        self.entitlement = entitlement
        self.amount = amount
        (from, to) = kind.isForBuyer ? (other, .buyer(buyer)) : (.buyer(buyer), other)
        self.undoes = undoes
        self.environment = environment
        self.time = time
    }
}

extension LedgerEntry {
    /// What the entry adds to what its buyer holds.
    package var change: Int64 { kind.isForBuyer ? amount : -amount }
}
