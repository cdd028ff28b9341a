import Contracts
import Delivery
import Foundation
import Glibc
import Program

/// Puts stores of a backup back into a home in which nothing runs.
///
/// All links from and to them begin anew, and their next owners send every current state over them again. If this
/// process dies, what it has done is harmless, or the next start refuses a store; restoring once more goes on.
struct RestoreRound {
    let home: Home
    let folder: BackupFolder
    let manifest: BackupManifest
    /// Empty for all partitions.
    let chosen: Set<PartitionAddress>
    let now: Timestamp
    let crash: CrashSwitch

    /// - Throws: `ConfigurationError` when the backup cannot be put back; then nothing has changed.
    func carryOut() throws -> [RestoreReport] {
        let stores = try restorable()
        try home.makeFolders()
        let locks = try HomeLocks(home, manifest.stores.map(\.address))
        return try withExtendedLifetime(locks) {
            try checkHome()
            let isFresh = !home.hasStores
            do {
                for store in stores { try stage(store) }
                crash.reach(.restoreStaged)
                try begin(anew: manifest.stores.filter { !stores.contains($0) })
                crash.reach(.restoreRedriven)
                if isFresh { try adopt() }
                return try stores.map { store in
                    let lost = try LostRows(of: store, in: home).found()
                    return RestoreReport(store: store, lost: lost, former: try swap(store))
                }
            } catch {
                for store in stores { unlink(staged(store)) }
                throw error
            }
        }
    }

    // MARK: Before anything changes

    private func restorable() throws -> [BackupManifest.Store] {
        let partitions = try Configuration(of: home).partitions
        for store in manifest.stores where store.partitions != partitions {
            let problem = "is \(partitions), but the backup was made with \(store.partitions)"
            throw ConfigurationError(
                file: home.configurationFile,
                member: "partitions",
                problem: problem + ", which cannot be changed"
            )
        }
        let known = Set(manifest.stores.map(\.address))
        for address in chosen.subtracting(known).sorted() {
            throw ConfigurationError(file: folder.path, problem: "has no store \(address)")
        }
        let stores = manifest.stores.filter { chosen.isEmpty || chosen.contains($0.address) }
        for file in stores.map(\.file) + [manifest.catalog] { try folder.verify(file) }
        return stores
    }

    /// The stores that stay must be of the home that was backed up, and none of them may be missing.
    private func checkHome() throws {
        guard !chosen.isEmpty || home.hasStores else { return }
        if home.hasStores, home.identity != manifest.home {
            let problem = "is the backup of another home; \(home.root) has stores of its own"
            throw ConfigurationError(file: folder.path, problem: problem)
        }
        for store in manifest.stores where !chosen.isEmpty && !chosen.contains(store.address) {
            let path = home.store(of: store.address)
            guard !FileManager.default.fileExists(atPath: path) else { continue }
            throw ConfigurationError(file: path, problem: "is missing, too; restore \(store.address) with it")
        }
    }

    // MARK: Beside the stores

    private func staged(_ store: BackupManifest.Store) -> String {
        home.store(of: store.address) + ".restored"
    }

    private func stage(_ store: BackupManifest.Store) throws {
        for suffix in ["-wal", "-shm"] { unlink(staged(store) + suffix) }
        try DurableFile.copy(folder.path(of: store.file.name), to: staged(store))
        let opened = try OfflineStore(path: staged(store), of: store.identity)
        _ = try opened.redrive(to: { _ in true }, now: now)
        try opened.close()
    }

    private func begin(anew stores: [BackupManifest.Store]) throws {
        for store in stores {
            let opened = try OfflineStore(path: home.store(of: store.address), of: store.identity)
            _ = try opened.redrive(to: chosen.contains, now: now)
            try opened.close()
        }
    }

    /// A home that has never run becomes the one that was backed up.
    private func adopt() throws {
        try DurableFile.copy(folder.path(of: BackupManifest.catalogName), to: home.loadedCatalogFile)
        try home.identify(as: manifest.home)
    }

    // MARK: In their place

    /// Keeps what lies in a store's place aside, and puts the restored one there.
    ///
    /// - Returns: where the former store is now; nil when there was none.
    private func swap(_ store: BackupManifest.Store) throws -> String? {
        let place = home.store(of: store.address)
        let kept = "\(home.dataFolder)/former/\(now.rfc3339)/\(store.file.name)"
        let hasFormer = FileManager.default.fileExists(atPath: place)
        if hasFormer {
            try FileManager.default.createDirectory(
                atPath: (kept as NSString).deletingLastPathComponent,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: place + suffix) {
                guard link(place + suffix, kept + suffix) == 0 else { throw SystemFault("link", kept) }
            }
        }
        // Dying between the two leaves a store in use without its log, which is refused.
        for suffix in ["-wal", "-shm"] { unlink(place + suffix) }
        crash.reach(.restoreUnlinked)
        try DurableFile.rename(staged(store), to: place)
        crash.reach(.restoreReplaced)
        try DurableFile.synchronize(folder: (place as NSString).deletingLastPathComponent)
        return hasFormer ? kept : nil
    }
}

/// The locks of all partitions of a home and of `counterfoil up`: nothing runs while they are held.
private final class HomeLocks {
    private final class Held {
        private let lock: FileLock
        init(_ lock: consuming FileLock) { self.lock = lock }
    }

    private var held: [Held] = []

    init(_ home: Home, _ partitions: [PartitionAddress]) throws {
        for path in [home.upLock] + partitions.map({ home.store(of: $0) + ".lock" }) {
            guard let lock = try FileLock.attempt(path: path) else {
                let problem = "is held: the group runs; end it with `counterfoil down`, or stop its services"
                throw ConfigurationError(file: path, problem: problem)
            }
            held.append(Held(lock))
        }
    }
}
