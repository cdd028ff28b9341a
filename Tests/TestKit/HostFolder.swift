package import Contracts
package import Delivery
package import Foundation
import Logging
package import ZeroMQ

/// A home for hosts in this process: stores, locks and sockets end with it.
package final class HostFolder: Sendable {
    package let url: URL
    package let sockets: SocketLoop

    package init(services: [ServiceName] = [.orders, .entitlements]) throws {
        url = URL(filePath: "/tmp/host-\(UUID().uuidString.prefix(8))")
        sockets = try SocketLoop(name: "hosts")
        for kind in ["data", "members", "run"] {
            for service in services {
                try FileManager.default.createDirectory(
                    at: url.appending(path: "\(kind)/\(service.rawValue)"),
                    withIntermediateDirectories: true
                )
            }
        }
    }

    deinit {
        sockets.shutdown()
        do { try FileManager.default.removeItem(at: url) } catch { print("the folder stays: \(error)") }
    }

    /// Where partitions listen.
    package var endpoints: SocketFolder { SocketFolder(path: url.appending(path: "run").path()) }

    /// A replica of a service, with sockets of its own as in a process of its own.
    package func host<Service: PartitionedService>(
        _ service: Service,
        replica: Int = 0,
        partitions: Int = 1,
        endpoints: (any Endpoints)? = nil,
        ownership: (any Ownership)? = nil,
        logs: (any PartitionLogs)? = nil,
        keys: WireKeys? = nil
    ) throws -> PartitionHost {
        let name = Service.name.rawValue
        var logger = Logger(label: "host")
        logger.logLevel = .critical
        let dataFolder = url.appending(path: "data/\(name)").path()
        let members = url.appending(path: "members/\(name)").path()
        let locks = FolderLocks(dataFolder: dataFolder, membersFolder: members, replica: replica)
        var settings = HostSettings(
            partitions: partitions,
            replica: replica,
            dataFolder: dataFolder,
            ownership: ownership ?? locks,
            endpoints: endpoints ?? self.endpoints,
            sockets: try SocketContext(keys: keys),
            logger: logger
        )
        settings.logs = logs
        if let logs, ownership == nil {
            settings.ownership = LogOwnership(
                of: Service.name,
                locks: locks,
                logs: logs,
                compare: { _ in },
                alarm: { print("\($0): \($1)") }
            )
        }
        return PartitionHost(service: service, settings: settings)
    }

    /// A client of all partitions.
    package func client(
        firstRepeat: Int64 = RequestClient.firstRepeatMilliseconds,
        endpoints: (any Endpoints)? = nil
    ) -> RequestClient {
        RequestClient(
            sockets: sockets,
            source: "/test",
            endpoints: endpoints ?? self.endpoints,
            firstRepeat: firstRepeat
        )
    }
}
