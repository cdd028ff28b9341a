/// A page of what waits, the longest first.
package struct DeskPage: Codable, Hashable, Sendable {
    /// Where a row stands in its list.
    package struct Place: Codable, Hashable, Sendable, Comparable {
        package var since: Timestamp
        /// Unlike that of every other row of the list.
        package var key: String

        /// Those that have waited longer come first.
        package static func < (left: Place, right: Place) -> Bool {
            left.since == right.since
                ? left.key.utf8.lexicographicallyPrecedes(right.key.utf8) : left.since < right.since
        }
    }

    /// What waits.
    package enum Kind: String, Codable, Sendable, CaseIterable {
        case orphan
        case parkedProof, parkedNotification, parkedGrant
        case awaitsApple, contested
        case unpaid, ungranted
        case undelivered
        case proposedCompensation, proposedMove
        /// A compensation stands, and its purchase is known and not its buyer's.
        case contestedCompensation
    }

    /// Somebody who has probably bought an orphan.
    package struct Holder: Codable, Hashable, Sendable {
        /// What speaks for somebody, the strongest first.
        package enum Sign: String, Codable, Sendable, CaseIterable {
            /// Holds another period of the same subscription.
            case chain
            /// Has bought with the same Apple Account.
            case account
            /// Has handed it in for somebody else.
            case handedIn
        }

        package var buyerId: BuyerID
        package var sign: Sign
    }

    /// One thing that waits.
    package struct Row: Codable, Hashable, Sendable {
        package var kind: Kind
        package var place: Place
        package var bundleId: BundleID
        package var environment: Environment? = nil
        package var orderId: OrderID? = nil
        package var purchaseId: PurchaseID? = nil
        package var receiptId: ReceiptID? = nil
        package var buyerId: BuyerID? = nil
        package var productId: ProductID? = nil
        /// Of the product, where it is proposed.
        package var quantity: Int? = nil
        /// What was paid, in milliunits of `currency`.
        package var price: Int64? = nil
        package var currency: String? = nil
        /// What another operator confirms.
        package var proposalId: ProposalID? = nil
        package var proposedBy: OperatorID? = nil
        /// On what a compensation would stand.
        package var basis: CompensationBasis.Kind? = nil
        package var appleOrderId: AppleOrderID? = nil
        /// Those of Apple's order that Apple or an operator has named.
        package var transactionIds: [TransactionID]? = nil
        /// From whom a move would take it; of a compensation, who else has its purchase.
        package var holderId: BuyerID? = nil
        /// Why it waits, as the store says it.
        package var reason: String? = nil
        /// Attempts that failed.
        package var attempts: Int? = nil
        /// What waits behind it.
        package var behind: Int? = nil
        /// When it is tried again by itself.
        package var next: Timestamp? = nil
        /// Apple's id of the app on the account that bought.
        package var account: String? = nil
        /// Who has probably bought an orphan.
        package var holders: [Holder] = []
    }

    package var rows: [Row]
    /// Whether others follow.
    package var hasMore: Bool
}
