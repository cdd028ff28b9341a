import Contracts
import Glibc
package import Logging
package import ZeroMQ

/// What a process needs to run partitions of a service.
package struct HostSettings: Sendable {
    package var partitions: Int
    package var replica: Int
    /// The folder of the stores, such as `…/data/orders`.
    package var dataFolder: String
    package var ownership: any Ownership
    package var endpoints: any Endpoints
    /// Nil where stores are the only copies, on one machine.
    package var logs: (any PartitionLogs)?
    package var sockets: SocketContext
    package var logger: Logger
    /// While it is set no store may be opened; nil where nothing is ever restored.
    package var restoreMark: RestoreMark?
    /// The stores that were made; nil where a missing one is always made anew.
    package var storeRegister: StoreRegister?
    package var crash = CrashSwitch.off
    /// Receives every handled message in the form that `--stdio` reads.
    package var record: (@Sendable (String) -> Void)?
    package var configuration = ""

    package init(
        partitions: Int,
        replica: Int,
        dataFolder: String,
        ownership: any Ownership,
        endpoints: any Endpoints,
        sockets: SocketContext,
        logger: Logger
    ) {
        self.partitions = partitions
        self.replica = replica
        self.dataFolder = dataFolder
        self.ownership = ownership
        self.endpoints = endpoints
        self.sockets = sockets
        self.logger = logger
    }
}

extension HostSettings {
    /// Longest delay before a receiver settles, in ms: far below its senders' timeout.
    private static let settleDelayMilliseconds: Int64 = 100
    private static let lingerMilliseconds: Int64 = 50

    /// What a partition's engine is run with in this process.
    func engine(of partition: PartitionAddress) -> PartitionEngine.Settings {
        var engine = PartitionEngine.Settings(address: partition, partitions: partitions)
        engine.replica = replica
        engine.pid = getpid()
        engine.crash = crash
        engine.settleDelayMilliseconds = Self.settleDelayMilliseconds
        engine.lingerMilliseconds = Self.lingerMilliseconds
        engine.record = record
        engine.configuration = configuration
        return engine
    }
}
