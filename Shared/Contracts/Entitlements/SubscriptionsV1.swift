/// The subscriptions of a buyer in one environment.
package struct SubscriptionsV1: Codable, Hashable, Sendable, DirectlyCoded {
    package var subscriptions: [Subscription]

    /// One chain of periods.
    package struct Subscription: Codable, Hashable, Sendable, DirectlyCoded {
        /// The first that holds.
        package enum State: String, Codable, Sendable, CaseIterable {
            case active
            /// A renewal has failed; access lasts until the grace period ends.
            case grace
            /// It runs, but an operator must say what its product gives: it gives nothing yet.
            case parked
            /// The last period was refunded, or is no longer shared.
            case revoked
            /// A renewal has failed, and Apple still tries.
            case billingRetry
            case expired
        }

        /// The offer by which a period was bought.
        package struct Offer: Codable, Hashable, Sendable, DirectlyCoded {
            /// 1: introductory, 2: promotional, 3: offer code, 4: win-back.
            package var type: Int
            package var identifier: String? = nil
            package var discountType: String? = nil
        }

        /// The seats of a period that was bought for several people.
        package struct Seats: Codable, Hashable, Sendable, DirectlyCoded {
            /// How many are paid for and not refunded.
            package var quantity: Int
            /// How many were refunded of transactions that stay valid.
            package var revoked: Int? = nil
            /// What was paid for all of them, in milliunits of `currency`, where Apple says it.
            package var price: Int64? = nil
            package var currency: String? = nil
        }

        package var originalTransactionId: TransactionID
        /// Apple's `subscriptionGroupIdentifier`; absent where an old proof does not say it.
        package var groupId: String?
        /// Of the period that contains the present, else of the last one; as `expires` and `transactionId`.
        package var productId: ProductID
        package var state: State
        /// The end of all access by this chain, also when it is past; absent if there never was any.
        package var accessUntil: Timestamp?
        package var expires: Timestamp?
        /// Whether it renews at the end of its period, or of its commitment; absent as long as Apple has not said so.
        package var autoRenew: Bool?
        package var autoRenewProductId: ProductID?
        /// Why it ended or will end, as Apple's number: 1: cancelled, 2: billing error, 3: no consent to a price, 4:
        /// product not available, 5: other.
        package var expirationIntent: Int?
        /// What the next period will cost, in milliunits of `currency`; of seats their average.
        package var renewalPrice: Int64?
        package var currency: String?
        /// Whether the buyer has consented to a higher price: 0: not yet, 1: yes; absent where nobody asks.
        package var priceIncreaseStatus: Int?
        /// Apple's `inAppOwnershipType`.
        package var ownership: String?
        package var offer: Offer?
        /// Absent without seats, and of what is shared.
        package var seats: Seats?
        package var transactionId: TransactionID
        package var environment: Environment

        package init(
            originalTransactionId: TransactionID,
            productId: ProductID,
            state: State,
            transactionId: TransactionID,
            environment: Environment
        ) {
            self.originalTransactionId = originalTransactionId
            self.productId = productId
            self.state = state
            self.transactionId = transactionId
            self.environment = environment
        }
    }
}
