/// A commit log in memory, for tests and simulations; what goes wrong in one is up to them.
package final class MemoryLog: CommitLog {
    /// What may happen to an entry on its way.
    package enum Trouble: Sendable {
        /// The entry is lost, and nobody knows.
        case lost
        /// The entry arrives, its acknowledgement does not.
        case unacknowledged
        /// The entry is still on its way when the sender gives up waiting, and arrives before the next one.
        case late
    }

    /// Most entries that are pruned at once.
    static let entriesAtOnce = 256

    private struct Kept {
        let snapshot: LogSnapshot
        let parts: [[UInt8]]
    }

    private var kept: [LogEntry] = []
    private var last = LogHead.empty
    private var onTheWay: [LogEntry] = []
    private var parts: [SnapshotName: [Int: [UInt8]]] = [:]
    private var copies: [Kept] = []
    /// Asked about each entry before it is appended.
    package var trouble: (LogEntry) -> Trouble? = { _ in nil }

    package init() {}

    package func append(_ entry: LogEntry) throws(LogFault) -> AppendOutcome {
        for late in onTheWay { _ = put(late) }
        onTheWay = []
        switch trouble(entry) {
        case nil: return put(entry)
        case .lost: return .unknown("the entry was lost")
        case .unacknowledged:
            _ = put(entry)
            return .unknown("the acknowledgement was lost")
        case .late:
            onTheWay.append(entry)
            return .unknown("the entry is on its way")
        }
    }

    private func put(_ entry: LogEntry) -> AppendOutcome {
        if entry.position <= last.position {
            return index(of: entry.position).map { kept[$0] } == entry ? .appended : .taken
        }
        guard entry.position == last.position + 1 else { return .behind(last) }
        guard entry.follows(last) else { return .taken }
        kept.append(entry)
        last = entry.head
        return .appended
    }

    /// Nil for a position that is pruned, or beyond the head.
    private func index(of position: Int64) -> Int? {
        guard let first = kept.first?.position, position >= first, position <= last.position else {
            return nil
        }
        return Int(position - first)
    }

    package func head() throws(LogFault) -> LogHead { last }

    package func entries(from position: Int64, maximumBytes: Int) throws(LogFault) -> [LogEntry] {
        guard position <= last.position else { return [] }
        guard let start = index(of: position) else { throw .pruned(first: kept.first?.position ?? 1) }
        var bytes = 0
        let fitting = kept[start...].prefix { entry in
            bytes += entry.bytes.count
            return bytes <= maximumBytes
        }
        return fitting.isEmpty ? [kept[start]] : Array(fitting)
    }

    /// Forgets what it has acknowledged behind a position that is kept, as a promoted standby may.
    package func lose(behind position: Int64) {
        kept.removeAll { $0.position > position }
        if let head = kept.last?.head { last = head } else { last = .empty }
    }

    /// All entries that are kept, in order.
    package var entries: [LogEntry] { kept }

    // MARK: Snapshots

    package func write(part: [UInt8], number: Int, of name: SnapshotName) throws(LogFault) {
        guard !copies.contains(where: { $0.snapshot.name == name }) else { return }
        parts[name, default: [:]][number] = part
    }

    package func keep(_ snapshot: LogSnapshot) throws(LogFault) {
        guard let index = index(of: snapshot.head.position), kept[index].epoch == snapshot.head.epoch else {
            throw .refused("the log has no entry \(snapshot.head.position) of epoch \(snapshot.head.epoch)")
        }
        if copies.contains(where: { $0.snapshot.head == snapshot.head }) { return }
        let written = parts[snapshot.name] ?? [:]
        let all = (0..<max(snapshot.parts, 0)).compactMap { written[$0] }
        guard all.count == snapshot.parts, all.reduce(0, { $0 + Int64($1.count) }) == snapshot.bytes else {
            throw .refused("parts of the snapshot at \(snapshot.head.position) are missing")
        }
        parts[snapshot.name] = nil
        copies.append(Kept(snapshot: snapshot, parts: all))
    }

    package func snapshots() throws(LogFault) -> [LogSnapshot] {
        copies.map(\.snapshot).sorted { $0.head.position > $1.head.position }
    }

    package func part(_ number: Int, of snapshot: LogSnapshot) throws(LogFault) -> [UInt8] {
        guard let copy = copies.first(where: { $0.snapshot == snapshot }), copy.parts.indices.contains(number)
        else {
            throw .pruned(first: kept.first?.position ?? 1)
        }
        return copy.parts[number]
    }

    package func pruneSome(below position: Int64) throws(LogFault) -> Bool {
        guard copies.contains(where: { $0.snapshot.head.position >= position }) else {
            throw .refused("no snapshot is kept at \(position) or above")
        }
        copies.removeAll { $0.snapshot.head.position < position }
        parts = parts.filter { $0.key.head.position >= position }
        let count = kept.prefix { $0.position < position }.count
        kept.removeFirst(min(count, Self.entriesAtOnce))
        return count > Self.entriesAtOnce
    }
}
