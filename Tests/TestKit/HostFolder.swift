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
        for folder in services.flatMap({ ["data/\($0.rawValue)", "members/\($0.rawValue)"] }) + ["run"] {
            try FileManager.default.createDirectory(
                at: url.appending(path: folder),
                withIntermediateDirectories: true
            )
        }
    }

    deinit {
        sockets.shutdown()
        do { try FileManager.default.removeItem(at: url) } catch { print("the folder stays: \(error)") }
    }

    /// Where a partition listens.
    package func socketPath(_ address: PartitionAddress) -> String {
        url.appending(path: "run/\(address.service.rawValue)-\(address.partition).sock").path()
    }

    /// A replica of a service, with sockets of its own as in a process of its own.
    package func host<Service: PartitionedService>(
        _ service: Service,
        replica: Int = 0,
        partitions: Int = 1
    ) throws -> PartitionHost {
        let name = Service.name.rawValue
        var logger = Logger(label: "host")
        logger.logLevel = .critical
        return PartitionHost(
            service: service,
            settings: HostSettings(
                partitions: partitions,
                replica: replica,
                dataFolder: url.appending(path: "data/\(name)").path(),
                membersFolder: url.appending(path: "members/\(name)").path(),
                socketPath: { [url] in
                    url.appending(path: "run/\($0.service.rawValue)-\($0.partition).sock").path()
                },
                sockets: try SocketContext(),
                logger: logger
            )
        )
    }

    /// A client of all partitions.
    package func client(firstRepeat: Int64 = RequestClient.firstRepeatMilliseconds) -> RequestClient {
        RequestClient(sockets: sockets, source: "/test", firstRepeat: firstRepeat) { [url] in
            url.appending(path: "run/\($0.service.rawValue)-\($0.partition).sock").path()
        }
    }
}
