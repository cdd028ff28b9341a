import Contracts
import Delivery
import Domain
import Hummingbird
import NIOConcurrencyHelpers
import NIOCore
import Program

struct GatewayContext: Sendable {
    let configuration: Configuration
    let catalog: Catalog
    /// Whether the home was made for tests; operators see it in `/readyz`.
    let isTestHome: Bool
    let version: String
    let replica: Int
    let authentication: Authentication
    let loadShedder: LoadShedder
    let partitions: Partitions
    let statuses: PartitionStatuses
    let refusedConnections = NIOLockedValueBox(0)

    init(
        _ configuration: Configuration,
        catalog: Catalog,
        caller: any PartitionCaller,
        loadShedder: LoadShedder = LoadShedder(),
        isTestHome: Bool = false,
        version: String = "",
        replica: Int = 0,
        crash: CrashSwitch = .off
    ) {
        self.configuration = configuration
        self.catalog = catalog
        self.isTestHome = isTestHome
        self.version = version
        self.replica = replica
        self.loadShedder = loadShedder
        authentication = Authentication(apps: configuration.apps)
        partitions = Partitions(count: configuration.partitions, caller: caller, crash: crash)
        statuses = PartitionStatuses(partitions: partitions)
    }
}

struct GatewayRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}
