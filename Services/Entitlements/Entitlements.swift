import Program

/// The program `counterfoil-entitlements`: the ledger, partitioned by buyer.
@main struct Entitlements: StatefulProgram {
    static func service(home: Home) throws -> EntitlementsService {
        EntitlementsService(try CatalogFollower(of: home, logger: CommonOptions.logger(for: "catalog")))
    }
}
