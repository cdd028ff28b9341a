import Contracts
import Database
import ZeroMQ

@testable import Delivery

/// A log in memory with its counter, as every host of a group sees it.
final class SharedLog {
    let entries = MemoryLog()
    var epoch: Int64 = 0
    var counter: Int64 = 0
    var endpoint: Endpoint?
    /// What the next renewals bring in place of their outcome.
    var isUnreachable = false
    /// Why nobody may claim before an operator has looked.
    var quarantine: String?

    func sign(seenBy host: String) throws -> OwnerSign {
        let holder: OwnerSign.Holder =
            switch endpoint {
            case nil: .nobody
            case .ipc(path: host): .here
            default: .elsewhere
            }
        let renewal = counter == 0 ? nil : (epoch: epoch, counter: counter, holder: holder)
        let head = try entries.head()
        var sign = OwnerSign(position: head.position, epoch: head.epoch, renewal: renewal)
        sign.isQuarantined = quarantine != nil
        return sign
    }

    func renew(at head: LogHead, endpoint: Endpoint?) throws -> OwnerRenewal {
        if isUnreachable { return .unknown("nobody answers") }
        let last = try entries.head()
        if last.position < head.position { return .behind(last) }
        guard last.epoch == head.epoch, epoch <= head.epoch else { return .taken }
        (epoch, counter, self.endpoint) = (head.epoch, counter + 1, endpoint)
        return .renewed(counter: counter)
    }
}

extension OwnerWatch {
    /// What a sign says that was read in no time.
    mutating func judge(_ sign: OwnerSign, at uptime: Int64) -> Judgement {
        judge(OwnerReading(sign, began: uptime, ended: uptime))
    }
}

/// One host's connection to it, over a log that may break.
final class HostLog: PartitionLog {
    let shared: SharedLog
    let host: String
    let commits: any CommitLog

    init(_ shared: SharedLog, host: String, commits: (any CommitLog)? = nil) {
        self.shared = shared
        self.host = host
        self.commits = commits ?? shared.entries
    }

    func sign() throws -> OwnerSign { try shared.sign(seenBy: host) }

    func renew(at head: LogHead, endpoint: Endpoint?) throws -> OwnerRenewal {
        try shared.renew(at: head, endpoint: endpoint)
    }
}

/// A host that owns the partition, or wants to; its clock is its own.
final class LogHost {
    let name: String
    let store: SQLiteDatabase
    let log: HostLog
    var uptime: Int64
    var paused: Int64 = 0
    /// How long the next pauses last, which a signal ends.
    var shortPauses: [Int64] = []
    private(set) var ends: [String] = []
    private(set) var alarms: [String] = []
    var watch = OwnerWatch()
    private(set) var owner: LogOwner?

    init(_ shared: SharedLog, _ name: String, uptime: Int64 = 0, store: SQLiteDatabase? = nil) throws {
        self.name = name
        self.uptime = uptime
        log = HostLog(shared, host: name)
        self.store = try store ?? SQLiteDatabase(path: ":memory:", isRecorded: true)
    }

    /// What the host may claim after now.
    func lapse() throws -> OwnerWatch.Lapse? {
        switch watch.judge(try log.sign(), at: uptime) {
        case .wait: return nil
        case .claim(let lapse): return lapse
        case .lost(let position):
            log.shared.quarantine = "\(position) is gone"
            return nil
        }
    }

    /// The watcher looks four times a second for so many ms.
    func watch(for milliseconds: Int64) throws {
        for _ in 0..<(milliseconds / 250) {
            uptime += 250
            _ = try lapse()
        }
    }

    func claim(after lapse: OwnerWatch.Lapse) throws {
        let process = LogOwner.Process(
            uptime: { [unowned self] in uptime },
            pause: { [unowned self] in
                let time = shortPauses.isEmpty ? $0 : shortPauses.removeFirst()
                paused += time
                uptime += time
            },
            repeats: { count, _ in count < 3 },
            end: { [unowned self] in ends.append($0) },
            alarm: { [unowned self] in alarms.append($0) },
            quarantine: { [unowned self] in log.shared.quarantine = $0 }
        )
        let owner = try LogOwner(store, at: ":memory:", log: log, endpoint: .ipc(path: name), process)
        self.owner = owner
        let claimant = "\(name) \(uptime) \(UInt64.random(in: 0 ... .max))"
        try owner.claim(after: lapse, claimant: Array(claimant.utf8))
        try owner.database.write {
            _ = try $0.execute("CREATE TABLE IF NOT EXISTS note (id INTEGER PRIMARY KEY) STRICT", [])
        }
    }

    func add(_ note: Int) throws {
        try owner?.database.write { _ = try $0.execute("INSERT INTO note (id) VALUES (\(note))") }
    }

    func remove(_ note: Int) throws {
        try owner?.database.write { _ = try $0.execute("DELETE FROM note WHERE id = \(note)") }
    }

    /// How many notes a phone is told of.
    func read() throws -> Int? {
        try owner?.database.write { try $0.value("SELECT COUNT(*) FROM note") }
    }

    /// A negative control: the same without a lease.
    func readAtOnce() throws -> Int? { try store.write { try $0.value("SELECT COUNT(*) FROM note") } }
}
