import Contracts
import Delivery
import FoundationEssentials
import Glibc
import Program
import SystemPackage

/// Puts stores of a backup back into a home in which nothing runs.
///
/// All links from and to them begin anew, and their next owners send every current state over them again. A mark in
/// the home keeps everything from starting while this is at work. If this process dies, the mark stays, and restoring
/// once more goes on, with this or another backup.
struct RestoreRound {
    let home: Home
    let folder: BackupFolder
    let manifest: BackupManifest
    /// Empty for all partitions.
    let chosen: Set<PartitionAddress>
    /// Whether a home that has lost its identity is the one that was backed up.
    let adoptsIdentity: Bool
    let now: Timestamp
    let crash: CrashSwitch
    /// Takes lines for the operator: what is lost before a store is replaced, where the former ones are at the end.
    let report: ([String]) -> Void

    /// - Returns: the stores that were put back.
    /// - Throws: `ConfigurationError` when the backup cannot be put back; then no store has changed.
    func carryOut() throws -> [BackupManifest.Store] {
        let stores = try restorable()
        try home.makeFolders()
        try DurableFile.synchronize(folder: home.root)
        let paths = [home.upLock] + manifest.stores.map { home.store(of: $0.address) + ".lock" }
        let problem = "is held: the group runs; end it with `counterfoil down`, or stop its services"
        let locks = try HeldLocks(paths, otherwise: problem)
        try withExtendedLifetime(locks) { try putBack(stores) }
        return stores
    }

    private func putBack(_ stores: [BackupManifest.Store]) throws {
        let addresses = stores.map(\.address)
        let unfinished = try RestoreRecord.unfinished(in: home)
        try unfinished?.checkContinued(with: addresses, in: home)
        let record = RestoreRecord(
            beganAt: unfinished?.beganAt ?? now,
            isNewHome: unfinished?.isNewHome ?? !home.hasStores,
            partitions: addresses
        )
        try checkHome(isNew: record.isNewHome)
        defer { removeStaged(stores) }
        try record.write(in: home)
        do {
            try prepare(stores, record)
        } catch {
            // No store has changed, unless by an earlier attempt.
            if let unfinished { try unfinished.write(in: home) } else { try removeMark() }
            throw error
        }
        try begin(anew: manifest.stores.filter { !stores.contains($0) })
        crash.reach(.restoreRedriven)
        try adopt(record)
        let lines = try stores.map { store in
            let kept = try swap(store, former(of: store, record)).map { "; the former store is \($0)" } ?? ""
            return "\(store.address) is as it was at \(store.copiedAt.rfc3339)\(kept)"
        }
        try removeMark()
        report(lines)
    }

    private func removeMark() throws { try DurableFile.remove(home.restoreMark.path) }

    private func former(of store: BackupManifest.Store, _ record: RestoreRecord) -> FormerStore {
        FormerStore(of: store.address, in: home, since: record.beganAt)
    }

    // MARK: Before anything changes

    private func restorable() throws -> [BackupManifest.Store] {
        let partitions = try Configuration(writtenIn: home).partitions
        for store in manifest.stores where store.partitions != partitions {
            let problem =
                "is \(partitions), but the backup was made with \(store.partitions), which cannot be "
                + "changed; set it to \(store.partitions), or restore another backup"
            throw ConfigurationError(file: home.configurationFile, member: "partitions", problem: problem)
        }
        try home.checkSocketPaths(partitions: partitions)
        try home.checkStores(partitions: partitions)
        let known = Set(manifest.stores.map(\.address))
        for address in chosen.subtracting(known).sorted() {
            let problem = "has no store \(address); \(BackupManifest.fileName) names those it has"
            throw ConfigurationError(file: folder.path, problem: problem)
        }
        let stores = manifest.stores.filter { chosen.isEmpty || chosen.contains($0.address) }
        for file in stores.map(\.file) + [manifest.catalog] { try folder.verify(file) }
        return stores
    }

    /// The stores that stay must be of the home that was backed up, and none of them may be missing.
    private func checkHome(isNew: Bool) throws {
        if !isNew { try checkIdentity() }
        for store in manifest.stores where !chosen.isEmpty && !chosen.contains(store.address) {
            let path = home.store(of: store.address)
            guard !FileManager.default.fileExists(atPath: path) else { continue }
            throw ConfigurationError(file: path, problem: "is missing, too; restore \(store.address) with it")
        }
    }

    private func checkIdentity() throws {
        guard home.identity != manifest.home else { return }
        guard home.identity == nil else {
            let problem =
                "is the backup of another home; \(home.root) has stores of its own: restore into a new home, "
                + "made by `counterfoil init`"
            throw ConfigurationError(file: folder.path, problem: problem)
        }
        guard !adoptsIdentity else { return }
        let problem =
            "is missing, so that nothing says whether the backup is of this home or of another one; if you "
            + "know that it is of this one, add --adopt-identity, else restore into a new home, made by "
            + "`counterfoil init`"
        throw ConfigurationError(file: home.identityFile, problem: problem)
    }

    // MARK: Beside the stores

    private func staged(_ store: BackupManifest.Store) -> String {
        OfflineStore.restored(of: home.store(of: store.address))
    }

    /// Those that took their places are there no more.
    private func removeStaged(_ stores: [BackupManifest.Store]) {
        for store in stores {
            for suffix in ["", "-wal", "-shm"] { unlink(staged(store) + suffix) }
        }
    }

    /// Copies the stores, and says what is lost with the former ones while nothing is lost yet.
    private func prepare(_ stores: [BackupManifest.Store], _ record: RestoreRecord) throws {
        for store in stores { try stage(store) }
        crash.reach(.restoreStaged)
        let reports = stores.map { store in
            let lost = LostRows(store: store, former: former(of: store, record).path, staged: staged(store))
            return RestoreReport(store: store, lost: lost.found())
        }
        report(reports.flatMap(\.lines))
    }

    private func stage(_ store: BackupManifest.Store) throws {
        for suffix in ["-wal", "-shm"] { unlink(staged(store) + suffix) }
        try DurableFile.copy(folder.path(of: store.file.name), to: staged(store))
        let opened = try OfflineStore(path: staged(store), of: store.identity)
        _ = try opened.redrive(to: { _ in true }, now: now)
        try opened.markRestored(at: now)
        try opened.close()
    }

    private func begin(anew stores: [BackupManifest.Store]) throws {
        for store in stores {
            let opened = try OfflineStore(path: home.store(of: store.address), of: store.identity)
            _ = try opened.redrive(to: chosen.contains, now: now)
            try opened.close()
        }
    }

    /// A home that had never run becomes the one that was backed up.
    private func adopt(_ record: RestoreRecord) throws {
        if record.isNewHome {
            let catalog = URL(filePath: folder.path(of: BackupManifest.catalogName))
            try DurableFile.replace(home.loadedCatalogFile, with: Data(contentsOf: catalog))
        }
        if home.identity != manifest.home { try home.identify(as: manifest.home) }
    }

    // MARK: In their place

    /// Keeps what lies in a store's place aside, and puts the restored one there.
    ///
    /// - Returns: where the former store is now; nil when there was none.
    private func swap(_ store: BackupManifest.Store, _ former: FormerStore) throws -> String? {
        let place = home.store(of: store.address)
        let kept = try former.keep()
        // Dying between the two leaves a store without its log, which the kept one has.
        for suffix in ["-wal", "-shm"] { unlink(place + suffix) }
        crash.reach(.restoreUnlinked)
        try DurableFile.rename(staged(store), to: place)
        crash.reach(.restoreReplaced)
        try DurableFile.synchronize(folder: FilePath(place).removingLastComponent().string)
        try home.storeRegister.add(store.address)
        return kept
    }
}
