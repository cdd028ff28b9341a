package import Database

/// The commit log of one partition in PostgreSQL.
///
/// Each entry is a row with the primary key (partition, position), behind a row that it fits. So every single append
/// proves that the log has not lost what this owner has put there before: after a failover, and behind a pooler, where
/// nobody here sees one.
package final class PostgreSQLLog: CommitLog {
    private let connection: LogConnection
    private let partition: String
    private var isChecked = false
    /// Those of an entry whose outcome is unknown.
    private var unresolved: AppendAttempts?

    /// A log of the partition that `LogTables` has made under this name; several may share a connection on one thread.
    package init(_ connection: LogConnection, partition: String) {
        self.connection = connection
        self.partition = partition
    }

    package var lineage: LogLineage? { connection.lineage }

    /// Takes nothing of servers of another history.
    package func expect(_ lineage: LogLineage) { connection.expect(lineage) }

    package func append(_ entry: LogEntry) throws(LogFault) -> AppendOutcome {
        guard entry.bytes.count <= LogEntry.maximumBytes else {
            throw .refused("an entry of \(entry.bytes.count) bytes is larger than \(LogEntry.maximumBytes)")
        }
        let deadline = Deadline(in: connection.limits.append)
        connection.pulse.beginCall()
        var (attempts, directive) = begin(entry)
        unresolved = nil
        var losses = 0
        while true {
            switch directive {
            case .finish(let outcome):
                if case .unknown = outcome { unresolved = attempts }
                return outcome
            case .fail(let fault): throw fault
            case .send(let step), .wait(let step):
                let isNew = directive == .send(step)
                directive = attempts.apply(take(step, entry, isNew: isNew, until: deadline))
                guard isOver(deadline) else { continue }
                switch directive {
                case .wait, .send: directive = attempts.apply(.timeIsOver)
                case .reconnect, .finish, .fail: break
                }
            case .reconnect(let step):
                connection.disconnect()
                // The first one at once: it may just have been idle for too long.
                if losses > 0 { pause(until: deadline) }
                losses += 1
                directive = isOver(deadline) ? attempts.apply(.timeIsOver) : .send(step)
            }
        }
    }

    /// Whether there is no time for another attempt.
    private func isOver(_ deadline: Deadline) -> Bool { deadline.isOver || connection.pulse.isOver }

    /// An entry whose outcome is unknown is waited for where it is on its way.
    private func begin(_ entry: LogEntry) -> (AppendAttempts, AppendAttempts.Directive) {
        guard var attempts = unresolved, attempts.entry == entry else {
            return (AppendAttempts(entry), .send(.insert))
        }
        attempts.resume()
        return (attempts, connection.isWaiting(for: self) ? .wait(attempts.step) : .send(attempts.step))
    }

    private func pause(until deadline: Deadline) {
        do throws(SessionFault) {
            try connection.pulse.pause(connection.limits.pause, until: deadline)
        } catch {
            // What could not be waited for is tried at once.
        }
    }

    private func take(
        _ step: AppendAttempts.Step,
        _ entry: LogEntry,
        isNew: Bool,
        until deadline: Deadline
    ) -> AppendAttempts.Event {
        let end = min(deadline, Deadline(in: connection.limits.attempt))
        do throws(SessionFault) {
            if isNew { try connection.begin(statement(step, entry), for: self, until: end) }
            guard let reply = try connection.answer(until: end) else {
                return connection.isAtWork(until: Deadline(in: connection.limits.probe))
                    ? .slow : .silent("no answer in time")
            }
            switch step {
            case .insert, .confirm: return written(reply)
            case .look: return .placed(placement(reply))
            }
        } catch {
            switch error {
            case .server(let fault): return .fault(fault)
            case .busy: return .busy
            case .silent(let why), .weak(let why), .foreign(let why): return .silent(why)
            }
        }
    }

    private func statement(_ step: AppendAttempts.Step, _ entry: LogEntry) -> Statement {
        let own: [Parameter] = [
            .text(partition), .number(entry.position), .number(entry.epoch), .number(entry.formerEpoch),
            .number(Int64(entry.kind.rawValue)), .bytes(entry.bytes),
        ]
        return switch step {
        case .insert: Statement(LogStatements.insert, own, asksSettings: true, isFrequent: true)
        case .confirm: Statement(LogStatements.confirm, own, asksSettings: true)
        case .look: Statement(LogStatements.place, own)
        }
    }

    private func written(_ reply: Reply) -> AppendAttempts.Event {
        .written(rows: reply.affected, doubt: connection.doubt(of: reply, settings: 0))
    }

    private func placement(_ reply: Reply) -> Placement? {
        guard let position = reply.number(0), let epoch = reply.number(1), let number = reply.number(3),
            let occupant = Placement.Occupant(rawValue: number)
        else { return nil }
        return Placement(
            head: LogHead(position: position, epoch: epoch),
            previousEpoch: reply.number(2),
            occupant: occupant
        )
    }

    package func head() throws(LogFault) -> LogHead {
        try check()
        let reply = try connection.call(LogStatements.head, [.text(partition)])
        guard let position = reply.number(0), let epoch = reply.number(1) else {
            throw .refused("the log has no partition \(partition)")
        }
        return LogHead(position: position, epoch: epoch)
    }

    package func entries(from position: Int64, maximumBytes: Int) throws(LogFault) -> [LogEntry] {
        try check()
        let first = max(1, position)
        let reply = try connection.call(
            LogStatements.page,
            [.text(partition), .number(first), .number(Int64(maximumBytes))],
            wantsBytes: true
        )
        var entries: [LogEntry] = []
        for row in reply.rows.indices {
            let entry = try entry(reply, row)
            if row == 0, entry.position > first { throw .pruned(first: entry.position) }
            guard entry.position == first + Int64(row) else {
                throw .unreadable("\(partition): entry \(first + Int64(row)) is missing")
            }
            entries.append(entry)
        }
        return entries
    }

    private func entry(_ reply: Reply, _ row: Int) throws(LogFault) -> LogEntry {
        guard let position = reply.binaryNumber(0, ofRow: row), let epoch = reply.binaryNumber(1, ofRow: row),
            let former = reply.binaryNumber(2, ofRow: row), let bytes = reply.cell(row, 4)
        else { throw .unreadable("\(partition): a row is no entry") }
        let number = reply.binaryNumber(3, ofRow: row).flatMap { UInt8(exactly: $0) }
        guard let kind = number.flatMap(LogEntryKind.init) else {
            throw .unreadable("\(partition): entry \(position) is of a kind that is not known")
        }
        return LogEntry(position: position, epoch: epoch, formerEpoch: former, kind: kind, bytes: bytes)
    }

    /// The tables are those of this program, once for each log.
    private func check() throws(LogFault) {
        guard !isChecked else { return }
        try LogTables(connection).check()
        isChecked = true
    }
}

extension PostgreSQLLog {
    package func write(part: [UInt8], number: Int, of name: SnapshotName) throws(LogFault) {
        let place: [Parameter] = [
            .text(partition), .number(name.head.position), .number(name.id), .number(Int64(number)),
        ]
        _ = try connection.call(LogStatements.writePart, place + [.bytes(part)])
    }

    package func keep(_ snapshot: LogSnapshot) throws(LogFault) {
        let reply = try connection.call(
            LogStatements.keep,
            [
                .text(partition), .number(snapshot.head.position), .number(snapshot.head.epoch),
                .number(snapshot.name.id), .number(Int64(snapshot.parts)), .number(snapshot.bytes),
                .number(snapshot.digest),
            ]
        )
        guard reply.affected == 1 else {
            throw .refused(
                "the snapshot at \(snapshot.head.position) lacks a part, or its entry is another one"
            )
        }
    }

    package func snapshots() throws(LogFault) -> [LogSnapshot] {
        let reply = try connection.call(LogStatements.snapshots, [.text(partition)])
        var snapshots: [LogSnapshot] = []
        for row in reply.rows.indices {
            let numbers = (0..<6).compactMap { reply.number($0, ofRow: row) }
            guard numbers.count == 6 else { throw .unreadable("\(partition): a row is no snapshot") }
            let head = LogHead(position: numbers[0], epoch: numbers[1])
            snapshots.append(
                LogSnapshot(
                    name: SnapshotName(head: head, id: numbers[2]),
                    parts: Int(numbers[3]),
                    bytes: numbers[4],
                    digest: numbers[5]
                )
            )
        }
        return snapshots
    }

    package func part(_ number: Int, of snapshot: LogSnapshot) throws(LogFault) -> [UInt8] {
        let parameters: [Parameter] = [
            .text(partition), .number(snapshot.head.position), .number(snapshot.name.id),
            .number(Int64(number)),
        ]
        let reply = try connection.call(LogStatements.part, parameters, wantsBytes: true)
        guard let bytes = reply.cell(0, 0) else { throw .pruned(first: try head().position) }
        return bytes
    }

    package func pruneSome(below position: Int64) throws(LogFault) -> Bool {
        let place: [Parameter] = [.text(partition), .number(position)]
        guard let kept = try connection.call(LogStatements.mayPrune, place).number(0), kept > 0 else {
            throw .refused("no snapshot at \(position) or above it is kept")
        }
        // A snapshot is unlisted before its parts go.
        _ = try connection.call(LogStatements.pruneSnapshots, place)
        let entries = try connection.call(LogStatements.pruneEntries, place).affected
        if entries > 0 { return true }
        return try connection.call(LogStatements.pruneParts, place).affected > 0
    }
}
