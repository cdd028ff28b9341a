import Contracts
import Foundation

/// The studio's `catalog.json`, from which the store knows what kind of product it sells.
///
/// It is read for each purchase that does not say its type, so that it may be made and changed later.
struct CatalogFile: Sendable {
    private struct Content: Decodable {
        struct Product: Decodable {
            let productId: String
            let bundleId: String?
            let type: String
        }

        let products: [Product]
    }

    /// Apple's name for each type of the catalog.
    private static let types = [
        "consumable": "Consumable",
        "nonConsumable": "Non-Consumable",
        "autoRenewable": "Auto-Renewable Subscription",
        "nonRenewing": "Non-Renewing Subscription",
    ]

    let path: String

    /// Apple's name for the type of a product; an entry of the app goes before one for every app.
    func type(of productId: ProductID, bundleId: BundleID) throws(Problem) -> String {
        let content: Content
        do {
            content = try JSONDecoder().decode(Content.self, from: Data(contentsOf: URL(filePath: path)))
        } catch {
            throw Problem("type is missing, and the catalog \(path) cannot be read; give one of the two")
        }
        let products = content.products.filter { $0.productId == productId.rawValue }
        let product =
            products.first { $0.bundleId == bundleId.rawValue } ?? products.first { $0.bundleId == nil }
        guard let type = product.flatMap({ Self.types[$0.type] }) else {
            throw Problem("type is missing, and the catalog does not know \(productId); give one of the two")
        }
        return type
    }
}
