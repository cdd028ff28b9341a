/// A store whose every transaction is in the partition's log before it is committed here, and before anybody is told.
///
/// Changes, append, acknowledgement, COMMIT, and then the caller's replies. What a crash leaves:
///
/// | the process dies | the log | the store | the next owner |
/// |---|---|---|---|
/// | before the append | without the entry | without | nobody was told |
/// | between the append and its acknowledgement | with or without | without | its claim decides which |
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
        /// It may return where `repeats` has given up, and in tests; nothing is written afterwards.
        package var end: (String) -> Void
        /// Returns where nobody else can own the partition now; otherwise it throws, such as `StoreError.unproven`.
        ///
        /// Asked after a transaction that changed nothing, because that meets no position of the log.
        package var prove: () throws -> Void = {}
        /// Tells an operator what was mended: the log had lost what it had acknowledged.
        package var alarm: (String) -> Void = { _ in }
        /// Lets nobody go on without what the log has lost, and this owner cannot append again; before `end`.
        package var quarantine: (String) -> Void = { _ in }

        package init(repeats: @escaping (Int, String) -> Bool, end: @escaping (String) -> Void) {
            self.repeats = repeats
            self.end = end
        }
    }

    /// Other owners may claim meanwhile; so often in a row they do not.
    private static let maximumClaims = 16
    /// A log that is mended so often for one entry keeps nothing.
    private static let maximumMendings = 4

    private let store: SQLiteDatabase
    private let log: any CommitLog
    private let settings: Settings
    private let follower: LogFollower
    private var held = HeldEntries()
    /// Bytes of the entries that this owner has appended.
    package private(set) var appendedBytes: Int64 = 0
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
    /// `claimant` is another one at each call in the whole group. With an epoch it claims after that one alone, because
    /// whoever has claimed since may be alive; and so is an owner of that epoch whose entry comes first, such as one
    /// that has waited for the log's standby as long as the claim did.
    ///
    /// - Throws: `StoreError.taken` where others have claimed, or do so again and again; `LogFault.pruned` or
    ///   `RowChangesFault`, after which the store is made anew from a snapshot; `LogFollowerFault`, after which it
    ///   stays; other `LogFault`.
    package func claim(_ claimant: [UInt8], after epoch: Int64? = nil) throws {
        var first: LogHead?
        for _ in 0..<Self.maximumClaims {
            try follower.catchUp(with: log)
            if let epoch {
                guard follower.head.epoch == epoch else {
                    throw StoreError.taken("another host has claimed the partition")
                }
                guard follower.head == first ?? follower.head else {
                    throw StoreError.taken("its owner has written meanwhile, and lives")
                }
                first = follower.head
            }
            let claim = LogEntry(claimAfter: follower.head, claimant: claimant)
            switch try appendUntilKnown(claim) {
            case .appended:
                try follower.stop()
                try store.write { try LogFollower.note(claim.head, of: log.lineage, $0) }
                follower.noteCommitted(claim.head)
                held.hold(claim)
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
    private func appendUntilKnown(_ entry: LogEntry) throws(LogFault) -> AppendOutcome {
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
        if let appended { follower.noteCommitted(appended) } else { try settings.prove() }
        return value
    }

    /// Puts an entry behind the last one, and first whatever the log has lost of those before it.
    ///
    /// It may lose some more while it is mended; each time it is found again.
    private func append(_ entry: LogEntry) throws(StoreError) {
        for _ in 0..<Self.maximumMendings {
            switch try outcome(of: entry) {
            case .appended:
                held.hold(entry)
                appendedBytes += Int64(entry.bytes.count)
                return
            case .taken: throw lose(entry)
            case .behind(let head): try mend(after: head)
            case .unknown(let why):
                throw giveUp("whether entry \(entry.position) is in the log is not known: \(why)")
            }
        }
        throw giveUp("the log loses what it acknowledges again and again")
    }

    private func outcome(of entry: LogEntry) throws(StoreError) -> AppendOutcome {
        do throws(LogFault) { return try appendUntilKnown(entry) } catch {
            throw .failed("entry \(entry.position) is not in the log: \(error)")
        }
    }

    private func lose(_ entry: LogEntry) -> StoreError {
        let lost = StoreError.taken(
            "another owner has the partition: entry \(entry.position) is another's"
        )
        refusal = lost
        return lost
    }

    /// Appends again what a log that ends at `end` has lost, in the order in which it was there.
    ///
    /// It is called by whoever finds the log's end below its own, outside of a transaction too.
    ///
    /// - Throws: `StoreError`, where entries are missing that nobody holds: then the process has been ended.
    package func mend(after end: LogHead) throws(StoreError) {
        let problem = "the log ends at \(end.position) and has acknowledged \(head.position) entries"
        guard let lost = held.missing(after: end) else {
            // Whoever claims next may know nothing of them.
            settings.quarantine("\(problem), not all of which its owner holds")
            throw giveUp("\(problem), not all of which are held here; the partition is quarantined")
        }
        settings.alarm("\(problem); they are appended again")
        for entry in lost {
            switch try outcome(of: entry) {
            case .appended: continue
            case .taken: throw lose(entry)
            // It has lost more: the next append finds where it ends now.
            case .behind: return
            case .unknown(let why):
                throw giveUp("whether entry \(entry.position) is in the log again is not known: \(why)")
            }
        }
    }

    // MARK: The store

    package var counts: StoreCounts { store.counts }

    var path: String { store.path }

    /// Begins a copy of the store at `path`, where no file is yet.
    func copier(to path: String) throws -> StoreCopier { try store.copier(to: path) }

    package func checkpoint() throws { try store.checkpoint() }

    /// Closes the store; the partition stays claimed until somebody else claims it.
    package func close() throws {
        try follower.stop()
        try store.close()
    }
}
