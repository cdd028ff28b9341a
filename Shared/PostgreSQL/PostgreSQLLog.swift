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

    /// A log of the partition that `LogTables` has made under this name; several may share a connection on one thread.
    package init(_ connection: LogConnection, partition: String) {
        self.connection = connection
        self.partition = partition
    }

    package func append(_ entry: LogEntry) throws(LogFault) -> AppendOutcome {
        let deadline = Deadline(in: connection.limits.append)
        var attempts = AppendAttempts(entry)
        var directive = AppendAttempts.Directive.send(.insert)
        var losses = 0
        while true {
            switch directive {
            case .finish(let outcome): return outcome
            case .fail(let fault): throw fault
            case .send(let step):
                let end = min(deadline, Deadline(in: connection.limits.attempt))
                directive = attempts.apply(take(step, entry, until: end))
            case .reconnect(let step):
                connection.disconnect()
                // The first one at once: it may just have been idle for too long.
                if losses > 0 { deadline.pause(connection.limits.pause) }
                losses += 1
                directive = deadline.isOver ? attempts.apply(.timeIsOver) : .send(step)
            }
        }
    }

    private func take(
        _ step: AppendAttempts.Step,
        _ entry: LogEntry,
        until deadline: Deadline
    ) -> AppendAttempts.Event {
        let own: [Parameter] = [
            .text(partition), .number(entry.position), .number(entry.epoch),
            .number(Int64(entry.kind.rawValue)),
            .bytes(entry.bytes),
        ]
        do throws(SessionFault) {
            switch step {
            case .insert:
                let previous = Parameter.number(entry.previousEpoch)
                return written(try connection.run(LogStatements.insert, own + [previous], until: deadline))
            case .confirm: return written(try connection.run(LogStatements.confirm, own, until: deadline))
            case .look:
                return .placed(placement(try connection.run(LogStatements.place, own, until: deadline)))
            }
        } catch {
            switch error {
            case .server(let fault): return .fault(fault)
            case .silent(let why), .weak(let why): return .silent(why)
            }
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
            let bytes = reply.cell(row, 3)
        else { throw .unreadable("\(partition): a row is no entry") }
        let number = reply.binaryNumber(2, ofRow: row).flatMap { UInt8(exactly: $0) }
        guard let kind = number.flatMap(LogEntryKind.init) else {
            throw .unreadable("\(partition): entry \(position) is of a kind that is not known")
        }
        return LogEntry(position: position, epoch: epoch, kind: kind, bytes: bytes)
    }

    /// The tables are those of this program, once for each log.
    private func check() throws(LogFault) {
        guard !isChecked else { return }
        try LogTables(connection).check()
        isChecked = true
    }
}

extension PostgreSQLLog {
    package func write(part: [UInt8], number: Int, ofSnapshotAt head: LogHead) throws(LogFault) {
        _ = try connection.call(
            LogStatements.writePart,
            place(head) + [.number(Int64(number)), .bytes(part)]
        )
    }

    package func keep(_ snapshot: LogSnapshot) throws(LogFault) {
        let reply = try connection.call(
            LogStatements.keep,
            place(snapshot.head) + [.number(Int64(snapshot.parts)), .number(snapshot.bytes)]
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
            guard let position = reply.number(0, ofRow: row), let epoch = reply.number(1, ofRow: row),
                let parts = reply.number(2, ofRow: row), let bytes = reply.number(3, ofRow: row)
            else { throw .unreadable("\(partition): a row is no snapshot") }
            let head = LogHead(position: position, epoch: epoch)
            snapshots.append(LogSnapshot(head: head, parts: Int(parts), bytes: bytes))
        }
        return snapshots
    }

    package func part(_ number: Int, of snapshot: LogSnapshot) throws(LogFault) -> [UInt8] {
        let parameters = place(snapshot.head) + [.number(Int64(number))]
        let reply = try connection.call(LogStatements.part, parameters, wantsBytes: true)
        guard let bytes = reply.cell(0, 0) else { throw .pruned(first: try head().position) }
        return bytes
    }

    package func prune(below position: Int64) throws(LogFault) {
        let place: [Parameter] = [.text(partition), .number(position)]
        guard let kept = try connection.call(LogStatements.mayPrune, place).number(0), kept > 0 else {
            throw .refused("no snapshot at \(position) or above it is kept")
        }
        // A snapshot is unlisted before its parts go.
        _ = try connection.call(LogStatements.pruneSnapshots, place)
        for sql in [LogStatements.pruneEntries, LogStatements.pruneParts] {
            while try connection.call(sql, place).affected > 0 {}
        }
    }

    private func place(_ head: LogHead) -> [Parameter] {
        [.text(partition), .number(head.position), .number(head.epoch)]
    }
}
