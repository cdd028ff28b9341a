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
final class OwnerFollower: @unchecked Sendable {  // all but `owners` is used under `reading`
    private static let pauseMicroseconds: UInt32 = 500_000

    private let connection: LogConnection
    private let reading = NIOLock()
    private var standstill = OwnerStandstill()
    private let owners = NIOLockedValueBox<[String: Endpoint]>([:])

    /// Reads the rows once, if PostgreSQL answers soon.
    init(_ log: GroupLog) {
        connection = log.connection(.brief)
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
        reading.withLock {
            do throws(LogFault) {
                let rows = try GroupRecords(connection).owners()
                if standstill.note(rows, at: ClockReading.current().uptime) { connection.disconnect() }
                let found = rows.compactMap { row -> (String, Endpoint)? in
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
}
