import Contracts
import FoundationEssentials
import Glibc
import Program

/// The store that lay in the place of a restored one; it is kept below `data/former` of the home.
struct FormerStore {
    private let place: String
    private let kept: String
    /// Those that lead to it, the highest first.
    private let folders: [String]

    /// `beganAt` is when the restore began for the first time.
    init(of address: PartitionAddress, in home: Home, since beganAt: Timestamp) {
        let former = "\(home.dataFolder)/former"
        let folder = "\(former)/\(beganAt.rfc3339)"
        folders = [home.dataFolder, former, folder, "\(folder)/\(address.service.rawValue)"]
        kept = "\(folders[3])/\(address.partition).sqlite"
        place = home.store(of: address)
    }

    /// Where it is; nil when there is none.
    ///
    /// Once it is kept, an interrupted restore may have put another store in its place.
    var path: String? { [kept, place].first { FileManager.default.fileExists(atPath: $0) } }

    /// Keeps it, so that its place may be taken.
    ///
    /// - Returns: where it is kept; nil when there is none.
    /// - Throws: `SystemFault`, or why the folder cannot be made.
    func keep() throws -> String? {
        guard let path else { return nil }
        if path == place { try linkFiles() }
        for folder in folders { try DurableFile.synchronize(folder: folder) }
        return kept
    }

    /// The log first: a store that is kept has all that belongs to it.
    private func linkFiles() throws {
        try FileManager.default.createDirectory(
            atPath: folders[3],
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        for suffix in ["-wal", ""] {
            // What an interrupted restore has left.
            unlink(kept + suffix)
            guard FileManager.default.fileExists(atPath: place + suffix) else { continue }
            guard link(place + suffix, kept + suffix) == 0 else { throw SystemFault("link", kept + suffix) }
        }
    }
}
