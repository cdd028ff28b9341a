import Contracts
import Delivery
import Domain
import NIOConcurrencyHelpers
import NIOCore
import Program

struct GatewayContext: Sendable {
    let configuration: Configuration
    private let loadedCatalog: @Sendable () -> Catalog
    var authentication: Authentication
    /// Without it nobody is an operator.
    var operators = OperatorAuthentication()
    let rateLimits: RateLimits
    let partitions: Partitions
    let statuses: PartitionStatuses
    var loadShedder = LoadShedder()
    /// Whether the home was made for tests; operators see it in `/readyz`.
    var isTestHome = false
    /// How the commit log was lately, nil while it is silent; without it the group has none.
    var logSight: (@Sendable () -> LogSight?)?
    var version = ""
    var replica = 0
    /// By which sale dates are judged.
    var now: @Sendable () -> Timestamp = { ClockReading.current().now }
    /// Milliseconds, by which requests are counted.
    var uptime: @Sendable () -> Int64 = { ClockReading.current().uptime }
    let refusedConnections = NIOLockedValueBox(0)
    let malformedProofs = MalformedProofs()

    init(
        _ configuration: Configuration,
        catalog: @escaping @Sendable () -> Catalog,
        caller: any PartitionCaller,
        crash: CrashSwitch = .off
    ) {
        self.configuration = configuration
        loadedCatalog = catalog
        authentication = Authentication(apps: configuration.apps)
        rateLimits = RateLimits(apps: configuration.apps)
        partitions = Partitions(count: configuration.partitions, caller: caller, crash: crash)
        statuses = PartitionStatuses(partitions: partitions)
    }

    /// The catalog that is loaded now.
    var catalog: Catalog { loadedCatalog() }

    /// A product of the catalog; of a retired one, too, because Orders recognises a repeated request first.
    func product(_ text: String, of app: Configuration.App) throws(Problem) -> ProductID {
        let product = try Field.product(text)
        switch catalog.lookup(bundleID: app.bundleId, productID: product) {
        case .active, .retired: return product
        case .unknown: throw .unacceptable("productId", "names no product of the catalog")
        }
    }
}
