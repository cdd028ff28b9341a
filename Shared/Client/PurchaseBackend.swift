/// Who makes orders and takes proofs: the gateway with a phone's token, or the studio's own server.
///
/// A call returns what came back, or that nothing came; each has a time limit of its own, and may be repeated.
public protocol PurchaseBackend: Sendable {
    /// What the app sells; nil where it could not be asked.
    func products(buyer: String) async -> [CatalogProduct]?
    /// Makes an order before any money moves: the same key is the same order, a second open one of the product is
    /// `open`; `unreachable` lets the buyer pay without an order, `refused` does not.
    func order(productID: String, buyer: String, key: String) async -> OrderAnswer
    /// Tells what StoreKit said when it did not sell; the text for the buyer, where there is one.
    func report(orderID: String, buyer: String, _ outcome: PurchaseOutcome) async -> String?
    /// Hands a proof in, or asks what became of it; it may come twice. What lacks a status is sent again.
    func submit(_ submission: Submission) async -> DeliveryAnswer
    /// Hands in what the phone did, for support; it decides nothing, and nobody waits for it.
    func log(orderID: String, buyer: String, _ entries: [StepLog.Entry]) async
}

/// A product as the catalog of the gateway has it.
public struct CatalogProduct: Codable, Equatable, Sendable {
    /// Apple's id.
    public let productId: String
    /// `consumable`, `nonConsumable`, `autoRenewable` or `nonRenewing`.
    public let type: String
    /// By language, such as `en`.
    public internal(set) var titles: [String: String]?
    /// Sold from this time on, in ms since 1970; nil: always was.
    public internal(set) var onSaleFrom: Int64?
    /// Sold no more from this time on, in ms since 1970; nil: without an end.
    public internal(set) var onSaleUntil: Int64?
    var retired: Retirement?

    /// That it is sold no more.
    struct Retirement: Codable, Equatable, Sendable {}

    /// Whether it is sold at a time, in ms since 1970.
    public func isOnSale(at now: Int64) -> Bool {
        retired == nil && now >= onSaleFrom ?? .min && now < onSaleUntil ?? .max
    }
}

/// A product that can be bought now: the catalog has it on sale, and the store has a price.
public struct PurchasableProduct: Equatable, Sendable, Identifiable {
    /// The catalog's word.
    public let product: CatalogProduct
    /// The store's word.
    public let price: StorePrice
    /// The product's.
    public var id: String { product.productId }

    /// Those of the catalog that are on sale and that the store knows, in the catalog's order.
    static func join(_ products: [CatalogProduct], _ prices: [StorePrice], now: Int64) -> [Self] {
        products.filter { $0.isOnSale(at: now) }.compactMap { product in
            prices.first { $0.productID == product.productId }.map { Self(product: product, price: $0) }
        }
    }
}
