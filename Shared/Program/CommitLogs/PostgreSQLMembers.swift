import Contracts
import Database
import Delivery
import NIOConcurrencyHelpers
import PostgreSQL

/// The replicas of a service as rows of the group's log, each `service/host/replica`.
final class PostgreSQLMembers: MemberRecords, @unchecked Sendable {  // `connection` is used under `lock`
    let host: String
    private let service: ServiceName
    private let replica: Int
    private let connection: LogConnection
    private let lock = NIOLock()

    /// `host` is the address at which other hosts reach this one.
    init(_ log: GroupLog, of service: ServiceName, host: String, replica: Int) {
        self.service = service
        self.host = host
        self.replica = replica
        connection = log.connection(.brief)
    }

    func announce() throws {
        try asking { records throws(LogFault) in try records.announce(name, []) }
    }

    func withdraw() {
        lock.withLock {
            do throws(LogFault) {
                try GroupRecords(connection).withdraw(name)
            } catch {
                return  // its counter stands still from now on
            }
        }
    }

    func signs() throws -> [MemberSign] {
        try asking { records throws(LogFault) in try records.members() }.compactMap { row in
            let parts = row.name.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 3, parts[0] == service.rawValue, let number = Int(parts[2]) else {
                return nil
            }
            return MemberSign(GroupMember(host: String(parts[1]), replica: number), counter: row.counter)
        }
    }

    private var name: String { "\(service.rawValue)/\(host)/\(replica)" }

    /// What PostgreSQL refuses now, such as for want of a standby, it may take again.
    private func asking<Value>(_ body: (GroupRecords) throws(LogFault) -> Value) throws(LogFault) -> Value {
        lock.lock()
        defer { lock.unlock() }
        do throws(LogFault) {
            return try body(GroupRecords(connection))
        } catch {
            guard case .refused(let why) = error else { throw error }
            throw .unreachable(why)
        }
    }
}
