/// A store whose every transaction is in the partition's log before it is committed here, and before anybody is told.
///
/// Changes, append, acknowledgement, COMMIT, and then the caller's replies. What a crash leaves:
///
/// | the process dies | the log | the store | the next owner |
/// |---|---|---|---|
/// | before the append | without the entry | without | nobody was told |
/// | between the append and its acknowledgement | with or without | without | its claim settles which |
/// | before or in the COMMIT | with the entry | without | applies it |
/// | after the COMMIT | with | with | – |
package final class ReplicatedDatabase: Database {
    /// What the process does where this store cannot decide.
    package struct Settings {
        /// Waits before an entry with an unknown outcome is appended again; false if it is given up.
        ///
        /// Called with the number of attempts so far and what the log said, on the partition's thread.
        package var repeats: (Int, String) -> Bool
        /// Ends the process: log and store may differ now, and only a new owner can find out.
        ///
        /// It returns in tests alone; nothing is written afterwards.
        package var end: (String) -> Void

        package init(repeats: @escaping (Int, String) -> Bool, end: @escaping (String) -> Void) {
            self.repeats = repeats
            self.end = end
        }
    }

    /// Other owners may claim meanwhile; so often in a row they do not.
    private static let maximumClaims = 16

    private let store: SQLiteDatabase
    private let log: any CommitLog
    private let settings: Settings
    private let follower: LogFollower
    /// Why nothing may be written; the reason until the partition is claimed, and after its loss.
    private var refusal: StoreError? = .failed("the partition is not claimed")

    /// The store was opened with a recorder; it may be new, or an older copy.
    ///
    /// - Throws: `StoreError`.
    package init(_ store: SQLiteDatabase, log: any CommitLog, settings: Settings) throws {
        self.store = store
        self.log = log
        self.settings = settings
        follower = try LogFollower(store)
        if let lineage = follower.lineage { log.expect(lineage) }
    }

    /// The last entry of the log, as far as its owner knows.
    package var head: LogHead { follower.head }

    // MARK: Owning

    /// Becomes the owner: applies what the log holds beyond the store, and appends a claim.
    ///
    /// `claimant` is another one at each call in the whole group.
    ///
    /// - Throws: `StoreError.taken` where others claim again and again; `LogFault.pruned` or `RowChangesFault`, after
    ///   which the store is made anew from a snapshot; `LogFollowerFault`, after which it stays; other `LogFault`.
    package func claim(_ claimant: [UInt8]) throws {
        for _ in 0..<Self.maximumClaims {
            try follower.catchUp(with: log)
            let claim = LogEntry(claimAfter: follower.head, claimant: claimant)
            switch try settled(claim) {
            case .appended:
                try follower.stop()
                try store.write { try LogFollower.note(claim.head, of: log.lineage, $0) }
                follower.noteCommitted(claim.head)
                refusal = nil
                return
            case .taken: continue
            case .behind(let head): throw LogFollowerFault.behind(log: head, store: follower.head)
            case .unknown(let why): throw giveUp("whether the claim is in the log is not known: \(why)")
            }
        }
        throw StoreError.taken("others claim the partition, too")
    }

    /// Appends the same entry until the log says what became of it, or the waiting ends.
    private func settled(_ entry: LogEntry) throws(LogFault) -> AppendOutcome {
        var attempts = 0
        while true {
            let outcome = try append(entry, isFirst: attempts == 0)
            guard case .unknown(let why) = outcome else { return outcome }
            attempts += 1
            guard settings.repeats(attempts, why) else { return outcome }
        }
    }

    /// What is refused after an attempt with an unknown outcome is unknown: the entry may be in the log all the same.
    private func append(_ entry: LogEntry, isFirst: Bool) throws(LogFault) -> AppendOutcome {
        do throws(LogFault) { return try log.append(entry) } catch {
            guard !isFirst else { throw error }
            return .unknown("\(error)")
        }
    }

    private func giveUp(_ why: String) -> StoreError {
        refusal = .failed(why)
        settings.end(why)
        return .failed(why)
    }

    // MARK: Writing

    @discardableResult
    package func write<Value>(_ body: (any Connection) throws -> Value) throws -> Value {
        if let refusal { throw refusal }
        var appended: LogHead?
        let value: Value
        do {
            value = try store.write(body) { changes, connection in
                let entry = LogEntry(
                    position: head.position + 1,
                    epoch: head.epoch,
                    kind: changes.changesSchema ? .schema : .rows,
                    bytes: changes.bytes
                )
                try LogFollower.note(entry.head, of: log.lineage, connection)
                // A disk that is full says so now, and not when the log has the entry.
                try store.flush()
                try append(entry)
                appended = entry.head
            }
        } catch {
            guard appended != nil else { throw error }
            throw giveUp("the store did not commit what is in the log: \(error)")
        }
        if let appended { follower.noteCommitted(appended) }
        return value
    }

    private func append(_ entry: LogEntry) throws(StoreError) {
        let outcome: AppendOutcome
        do throws(LogFault) { outcome = try settled(entry) } catch {
            throw .failed("entry \(entry.position) is not in the log: \(error)")
        }
        switch outcome {
        case .appended: return
        case .taken:
            let lost = StoreError.taken(
                "another owner has the partition: entry \(entry.position) is another's"
            )
            refusal = lost
            throw lost
        case .behind(let head):
            throw giveUp(
                "the log ends at \(head.position) and has acknowledged \(entry.position - 1) entries"
            )
        case .unknown(let why):
            throw giveUp("whether entry \(entry.position) is in the log is not known: \(why)")
        }
    }

    // MARK: The store

    package var counts: StoreCounts { store.counts }

    package func checkpoint() throws { try store.checkpoint() }

    /// Closes the store; the partition stays claimed until somebody else claims it.
    package func close() throws {
        try follower.stop()
        try store.close()
    }
}
