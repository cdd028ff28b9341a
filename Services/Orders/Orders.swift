import FoundationEssentials
import Program

/// The program `counterfoil-orders`.
@main struct Orders: StatefulProgram {
    /// On standard streams it runs without a home, too; live, a home without its configuration is refused elsewhere.
    static func service(home: Home) throws -> OrdersService {
        guard home.snapshot != nil || FileManager.default.fileExists(atPath: home.configurationFile) else {
            return OrdersService()
        }
        return OrdersService(try Configuration(of: home).orders)
    }
}
