import Database
import Delivery
import FoundationEssentials
import NIOConcurrencyHelpers
import PostgreSQL
import ZeroMQ

/// The replicas of programs as rows of the group's log, each `program/host/replica`.
final class PostgreSQLMembers: MemberRecords, @unchecked Sendable {  // `connection` is used under `lock`
    let host: String
    let word: MemberWord
    private let program: String
    private let replica: Int
    private let readings: GroupReadings
    private let connection: LogConnection
    private let lock = NIOLock()

    /// `host` is the address at which other hosts reach this one, and `keys` are those of its configuration.
    init(
        _ log: GroupLog,
        _ readings: GroupReadings,
        of program: String,
        host: String,
        keys: WireKeys,
        replica: Int
    ) {
        self.readings = readings
        self.program = program
        self.host = host
        word = MemberWord(
            key: keys.own.publicKey.description,
            admits: Set(keys.hosts.values.joined().map(\.description))
        )
        self.replica = replica
        connection = log.connection(.brief)
    }

    func announce(_ word: MemberWord) throws {
        let bytes = [UInt8](try JSONEncoder().encode(word))
        try asking { records throws(LogFault) in try records.announce(name, bytes) }
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

    func signs(notBefore uptime: Int64) throws -> (signs: [MemberSign], began: Int64) {
        let reading = try readings.reading(notBefore: uptime)
        return (reading.view.members.compactMap(\.sign), reading.began)
    }

    private var name: String { "\(program)/\(host)/\(replica)" }

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

extension GroupRecords.Member {
    /// Nil of a row that is no replica's.
    var sign: MemberSign? {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, let replica = Int(parts[2]), let word else { return nil }
        let member = GroupMember(String(parts[0]), host: String(parts[1]), replica: replica)
        return MemberSign(member, counter: counter, word: word, silence: silence)
    }

    /// Nil of bytes that no program of this version has written.
    var word: MemberWord? {
        do {
            return try JSONDecoder().decode(MemberWord.self, from: Data(bytes))
        } catch {
            return nil  // nobody's of this program
        }
    }
}
