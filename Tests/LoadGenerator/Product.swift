import Contracts

/// Something that is sold, and what one of it grants if that is known.
struct Product: Equatable, Sendable {
    /// As the catalog names it.
    enum Kind: String, Decodable, Sendable {
        case consumable, nonConsumable, autoRenewable, nonRenewing

        /// As Apple signs it.
        var signedName: String {
            switch self {
            case .consumable: "Consumable"
            case .nonConsumable: "Non-Consumable"
            case .autoRenewable: "Auto-Renewable Subscription"
            case .nonRenewing: "Non-Renewing Subscription"
            }
        }
    }

    let id: String
    /// What `--products` says that one grants.
    let amount: Int64?
    var kind = Kind.consumable
    /// What one grants by the catalog, where that was read: amounts, and what is possessed.
    var amounts: [String: Int64] = [:]
    var possessions: Set<String> = []
    /// Whether a restore by another login moves it.
    var isMovable = false

    var isKnown: Bool { grantCount > 0 }
    var grantCount: Int { amounts.count + possessions.count }

    /// What so many of it grant of an entitlement by the catalog; nil if nothing.
    func granted(_ entitlement: String, quantity: Int64) -> Int64? {
        if possessions.contains(entitlement) { return 1 }
        return amounts[entitlement].map { $0 * quantity }
    }

    /// The products that `id[=amount][,…]` lists.
    static func list(_ text: String) throws(WrongUse) -> [Product] {
        var products: [Product] = []
        for item in text.split(separator: ",") {
            let sides = item.split(separator: "=", maxSplits: 1).map(String.init)
            let amount = sides.count == 2 ? Int64(sides[1]) : nil
            guard sides.count == 1 || amount != nil else {
                throw WrongUse(description: "--products: `\(item)` is not id or id=amount")
            }
            products.append(Product(id: sides[0], amount: amount))
        }
        guard !products.isEmpty, products.count <= Assortment.mostProducts else {
            throw WrongUse(description: "--products must list from 1 to \(Assortment.mostProducts) products")
        }
        return products
    }
}

/// What customers can buy.
struct Assortment: Equatable, Sendable {
    /// Of each kind.
    static let mostProducts = 100
    /// A product's number has one byte.
    static let mostMovables = 50

    private(set) var consumables: [Product]
    /// It is not consumed, and can be restored.
    private(set) var restorable: Product
    private(set) var subscriptions: [Product] = []
    /// What a restore by another login moves.
    private(set) var movables: [Product] = []

    init(consumables: [Product], restorable: Product) {
        (self.consumables, self.restorable) = (consumables, restorable)
        self.restorable.kind = .nonConsumable
    }

    /// By the numbers that scripts have for them.
    var all: [Product] { consumables + [restorable] + subscriptions + movables }
    var restorableNumber: Int { consumables.count }
    var subscriptionNumbers: Range<Int> {
        consumables.count + 1..<consumables.count + 1 + subscriptions.count
    }
    var movableNumbers: [Int] { Array(subscriptionNumbers.upperBound..<all.count) }

    /// The same with what the gateway's catalog says of it, the subscriptions that it has, and what moves.
    func completed(by catalog: CatalogAnswer) throws(WrongUse) -> Assortment {
        var whole = self
        for index in consumables.indices {
            whole.consumables[index] = try catalog.completed(consumables[index])
        }
        whole.restorable = try catalog.completed(restorable)
        whole.add(Array(catalog.subscriptions.prefix(Self.mostProducts)))
        whole.movables = Array(catalog.movables.filter { $0.id != restorable.id }.prefix(Self.mostMovables))
        return whole
    }

    mutating func add(_ subscriptions: [Product], movables: [Product] = []) {
        self.subscriptions += subscriptions
        self.movables += movables
    }
}

/// `GET /v1/products`, as far as it says what is granted.
struct CatalogAnswer: Decodable, Sendable {
    struct Item: Decodable, Sendable {
        struct Grant: Decodable, Sendable {
            let entitlement: String
            let amount: Int64?
        }

        let productId: String
        let type: Product.Kind
        let grants: [Grant]
        let retired: JSONValue?
        let onOtherLogin: String?

        var product: Product {
            var product = Product(id: productId, amount: nil, kind: type)
            product.isMovable = onOtherLogin == "transfer"
            for grant in grants {
                if let amount = grant.amount {
                    product.amounts[grant.entitlement] = amount
                } else {
                    product.possessions.insert(grant.entitlement)
                }
            }
            return product
        }
    }

    let products: [Item]

    /// Those that are sold and do not move, in the catalog's order.
    var subscriptions: [Product] { sold.filter { $0.kind == .autoRenewable && !$0.isMovable } }

    /// Those that are sold and move, in the catalog's order.
    var movables: [Product] {
        sold.filter {
            [.nonConsumable, .autoRenewable].contains($0.kind) && $0.isMovable && !$0.possessions.isEmpty
        }
    }

    private var sold: [Product] { products.filter { $0.retired == nil }.map(\.product) }

    fileprivate func completed(_ product: Product) throws(WrongUse) -> Product {
        guard let known = products.first(where: { $0.productId == product.id && $0.retired == nil })?.product,
            known.kind == product.kind
        else {
            throw WrongUse(description: "the catalog sells no \(product.kind.rawValue) `\(product.id)`")
        }
        return known
    }
}
