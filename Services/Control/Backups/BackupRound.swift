import Contracts
import Delivery
import FoundationEssentials
import Glibc
import Program
import SystemPackage

/// Copies the stores of a running group into a folder.
///
/// Services downstream come first: what a later copy knows and an earlier one does not can be told to it again.
struct BackupRound {
    static let order: [ServiceName] = [.notifications, .entitlements, .orders, .receipts]
    private static let pause = Duration.milliseconds(100)
    /// So long a partition may be without an owner, ms.
    private static let patience: Int64 = 30_000

    let home: Home
    let group: PartitionInquiry
    let folder: BackupFolder
    let report: (String) -> Void

    /// Makes the folder, whole or not at all.
    ///
    /// - Throws: `ConfigurationError` when the folder is there already or cannot be made, or another backup runs;
    ///   `CommandFailure`.
    func carryOut() async throws -> BackupManifest {
        // Two at once would have the owners begin their copies again and again, and remove each other's.
        let problem = "is held: another backup runs; begin again when it has ended"
        let lock = try HeldLocks([home.backupLock], otherwise: problem)
        defer { withExtendedLifetime(lock) {} }
        guard !FileManager.default.fileExists(atPath: folder.path) else {
            throw ConfigurationError(file: folder.path, problem: "is there already; name a new folder")
        }
        try await group.askAll(PartitionStatusV1(), group.addresses()).missed.check("the backup")
        let partial = BackupFolder(folder.path + ".partial")
        do {
            let manifest = try await fill(partial)
            try DurableFile.rename(partial.path, to: folder.path)
            try DurableFile.synchronize(folder: FilePath(folder.path).removingLastComponent().string)
            return manifest
        } catch {
            try removeTraces(partial)
            throw error
        }
    }

    private func fill(_ partial: BackupFolder) async throws -> BackupManifest {
        if FileManager.default.fileExists(atPath: partial.path) {
            try FileManager.default.removeItem(atPath: partial.path)
        }
        try makeFolder(partial.path)
        let (began, id) = (ClockReading.current().now, IdentifierSource.eventID().rawValue)
        if home.identity == nil { try home.identify(as: id) }
        var stores: [BackupManifest.Store] = []
        for service in Self.order {
            try makeFolder(partial.path(of: service.rawValue))
            for address in group.addresses(of: [service]) {
                stores.append(try await copy(address, id, to: partial))
                report("\(address): \(stores[stores.count - 1].file.bytes) bytes")
            }
            try DurableFile.synchronize(folder: partial.path(of: service.rawValue))
        }
        try DurableFile.copy(home.loadedCatalogFile, to: partial.path(of: BackupManifest.catalogName))
        let manifest = BackupManifest(
            format: BackupManifest.currentFormat,
            program: Release.version,
            home: home.identity ?? id,
            beganAt: began,
            endedAt: ClockReading.current().now,
            catalog: try partial.file(BackupManifest.catalogName),
            stores: stores
        )
        try DurableFile.write(home.encoded(manifest), to: partial.path(of: BackupManifest.fileName))
        try DurableFile.synchronize(folder: partial.path)
        return manifest
    }

    private func makeFolder(_ path: String) throws {
        guard mkdir(path, 0o700) == 0 else {
            throw ConfigurationError(file: path, problem: "cannot be made: \(SystemFault("mkdir"))")
        }
    }

    /// Has the owner copy its store, takes the copy away and reads the whole of it.
    private func copy(
        _ address: PartitionAddress,
        _ id: String,
        to partial: BackupFolder
    ) async throws -> BackupManifest.Store {
        let copiedAt = try await copied(address, id)
        let name = "\(address.service.rawValue)/\(address.partition).sqlite"
        let copy = OfflineStore.copy(of: home.store(of: address))
        try DurableFile.copy(copy, to: partial.path(of: name))
        try FileManager.default.removeItem(atPath: copy)
        let identity = PartitionIdentity(address, of: group.partitions)
        let store = try OfflineStore(path: partial.path(of: name), of: identity)
        let contents = try store.verified()
        try store.close()
        return BackupManifest.Store(
            service: address.service,
            partition: address.partition,
            partitions: group.partitions,
            file: try partial.file(name),
            copiedAt: copiedAt,
            contents: contents
        )
    }

    /// Asks until the copy is whole; an owner that takes over meanwhile begins it again.
    private func copied(_ address: PartitionAddress, _ id: String) async throws -> Timestamp {
        while true {
            let copy = try await group.ask(StoreCopyV1(copyId: id), of: address, within: Self.patience)
            switch copy.state {
            case .copying: try await Task.sleep(for: Self.pause)
            case .done: return copy.finishedAt ?? ClockReading.current().now
            case .failed:
                let failure = copy.failure ?? "?"
                throw CommandFailure.usage(
                    "\(address) cannot copy its store: \(failure); make room, and begin again"
                )
            }
        }
    }

    /// Nothing of a backup that failed stays.
    private func removeTraces(_ partial: BackupFolder) throws {
        let copies = group.addresses().map { OfflineStore.copy(of: home.store(of: $0)) }
        for path in copies + [partial.path] where FileManager.default.fileExists(atPath: path) {
            try FileManager.default.removeItem(atPath: path)
        }
    }
}
