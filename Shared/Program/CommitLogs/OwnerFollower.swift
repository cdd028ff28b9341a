import Contracts
import Database
import Delivery
import Glibc
import NIOConcurrencyHelpers
import PostgreSQL
import ZeroMQ

/// Where the owners of partitions listen, by the rows of the group's log.
///
/// A thread of its own reads them, so that nobody who asks waits for PostgreSQL. While that is silent, what was read
/// last counts: a stale address costs a repeat, because whoever listens there refuses what is to another one.
final class OwnerFollower: Sendable {
    private static let pauseMicroseconds: UInt32 = 500_000

    private let readings: GroupReadings
    private let owners = NIOLockedValueBox<[String: Endpoint]>([:])

    /// Reads the rows once, if PostgreSQL answers soon.
    init(_ readings: GroupReadings) {
        self.readings = readings
        read()
        runThread(name: "owners") { [weak self] in
            while true {
                usleep(Self.pauseMicroseconds)
                guard let self else { return }
                self.read()
            }
        }
    }

    /// Nil of a partition that nobody was seen to own.
    func endpoint(of partition: PartitionAddress) -> Endpoint? {
        owners.withLockedValue { $0[partition.nameInLog] }
    }

    private func read() {
        do throws(LogFault) {
            let found = try readings.fresh().view.owners.compactMap { row -> (String, Endpoint)? in
                // A socket's path, of a time without `wire`, is another host's or in the former folder.
                guard let endpoint = Endpoint(row.endpoint), case .tcp = endpoint else { return nil }
                return (row.partition, endpoint)
            }
            owners.withLockedValue { $0 = Dictionary(found) { _, last in last } }
        } catch {
            return  // what was read last counts
        }
    }
}
