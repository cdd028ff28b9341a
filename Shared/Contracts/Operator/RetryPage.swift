/// A page of what was judged again, and what came of it.
package struct RetryPage: Codable, Hashable, Sendable {
    /// What kind of thing waits for an operator.
    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// A proof that a phone handed in.
        case submission
        /// A genuine transaction that is nobody's.
        case orphan
        /// A server notification of Apple's.
        case notification
        /// A purchase with a buyer, of which the catalog does not say what it brings.
        case grant
    }

    /// How a thing stands, and why where there is more to say.
    package struct Standing: Codable, Hashable, Sendable {
        package var state: String
        package var reason: String?

        package init(_ state: String, reason: String? = nil) {
            self.state = state
            self.reason = reason
        }
    }

    /// One thing that was judged again.
    package struct Item: Codable, Hashable, Sendable {
        package var kind: Kind
        /// Of a submission the receipt's, of a notification its own, else the transaction's.
        package var id: String
        package var bundleId: BundleID?
        package var environment: Environment?
        package var buyerId: BuyerID?
        package var productId: ProductID?
        package var before: Standing
        package var after: Standing

        package init(
            _ kind: Kind,
            id: String,
            bundleId: BundleID? = nil,
            environment: Environment? = nil,
            buyerId: BuyerID? = nil,
            productId: ProductID? = nil,
            before: Standing,
            after: Standing
        ) {
            self.kind = kind
            self.id = id
            self.bundleId = bundleId
            self.environment = environment
            self.buyerId = buyerId
            self.productId = productId
            self.before = before
            self.after = after
        }
    }

    package var items: [Item]
    /// Where the next page begins; absent from the last.
    package var next: [String]?

    package init(_ items: [Item], next: [String]? = nil) {
        self.items = items
        self.next = next
    }
}
