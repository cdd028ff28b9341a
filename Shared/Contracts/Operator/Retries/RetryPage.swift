/// A page of retried items and their results.
package struct RetryPage: Codable, Hashable, Sendable {
    /// What waits for the operator.
    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// A proof submitted by a phone.
        case submission
        /// A genuine transaction without an owner.
        case orphan
        /// An App Store Server Notification.
        case serverNotification
        /// A purchase with a buyer, but no grants in the catalog.
        case grant
    }

    /// The state of an item, with a reason if the state needs one.
    package struct ItemStatus: Codable, Hashable, Sendable {
        package var state: String
        package var reason: String?

        package init(_ state: String, reason: String? = nil) {
            self.state = state
            self.reason = reason
        }
    }

    /// One item that was judged again.
    package struct Item: Codable, Hashable, Sendable {
        package var kind: Kind
        /// A submission's receipt id, a notification's id, else the transaction id.
        package var id: String
        package var bundleId: BundleID?
        package var environment: Environment?
        package var buyerId: BuyerID?
        package var productId: ProductID?
        package var before: ItemStatus
        package var after: ItemStatus

        package init(
            _ kind: Kind,
            id: String,
            bundleId: BundleID? = nil,
            environment: Environment? = nil,
            buyerId: BuyerID? = nil,
            productId: ProductID? = nil,
            before: ItemStatus,
            after: ItemStatus
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
    /// The next page's `after`; absent on the last page.
    package var next: [String]?

    package init(_ items: [Item], next: [String]? = nil) {
        self.items = items
        self.next = next
    }
}
