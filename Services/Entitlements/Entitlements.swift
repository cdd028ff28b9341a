import Program

/// The program `counterfoil-entitlements`: the ledger, partitioned by buyer.
@main struct Entitlements: StatefulProgram {
    static func service(home: Home) throws -> EntitlementsService {
        let configuration = try EntitlementsConfiguration(home: home)
        return EntitlementsService(offers: CatalogOffers(catalog: configuration.catalog))
    }
}
