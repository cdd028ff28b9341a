import Foundation

/// A consumable, and what one of it grants if that is known.
struct Product: Equatable, Sendable {
    let id: String
    let amount: Int64?

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
        guard !products.isEmpty, products.count <= Int(UInt8.max) else {
            throw WrongUse(description: "--products must list from 1 to \(UInt8.max) products")
        }
        return products
    }
}

/// What a payment must come to.
struct PurchaseExpectation: Sendable {
    /// The one whose ledger it belongs into.
    let owner: Int32
    let product: UInt8
    var quantity: UInt8 = 1
    /// The order that was issued for it.
    let order: UUID
    /// The studio's number of that order.
    var reference: String?
    /// The other payment with the same token: exactly one of the two is for the order.
    var twin: UInt64?
    var isAcknowledged = false
}
