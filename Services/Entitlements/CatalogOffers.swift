import Contracts
import Domain
import EntitlementsCore
import Program

struct CatalogOffers: OfferLookup {
    let catalog: Catalog

    func offer(for product: ProductID, of bundle: BundleID) -> Offer {
        switch catalog.lookup(bundleID: bundle, productID: product) {
        case .active(_, let grants): .goods(grants.map(Goods.init))
        case .retired(_, let grants): .retired(instead: (grants ?? []).map(Goods.init))
        case .unknown: .unknownProduct
        }
    }
}

extension Goods {
    fileprivate init(_ grant: Catalog.Grant) { self.init(grant.entitlement, amount: grant.amount) }
}
