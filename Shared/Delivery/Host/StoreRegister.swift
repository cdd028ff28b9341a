package import Contracts
import FoundationEssentials
import Glibc
import SystemPackage

/// The stores that a home has: a file for each one that has had an owner, in a folder of their own.
///
/// Without it a store that is missing looks like one that was never made, would be made anew and empty, and buyers
/// would seem to hold nothing.
package struct StoreRegister: Sendable {
    package let folder: String

    package init(dataFolder: String) { folder = dataFolder + "/made" }

    /// What is wrong with the file at a store's place; nil when a store is there, or was never made.
    package func problem(with address: PartitionAddress, at path: String) -> String? {
        var file = stat()
        let isThere = stat(path, &file) == 0 && file.st_size > 0
        guard !isThere, access(entry(address), F_OK) == 0 else { return nil }
        return "is missing, with all that it knew; put it back with `counterfoil restore` "
            + "(without a backup: remove \(entry(address)), and it is made anew, empty)"
    }

    /// Enters a store that is there and owned; durable when this returns.
    ///
    /// - Throws: `FileLock.Fault` when the file or the folder cannot be written.
    package func add(_ address: PartitionAddress) throws {
        let path = entry(address)
        guard access(path, F_OK) != 0 else { return }
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        try synchronize(FilePath(folder).removingLastComponent().string, O_RDONLY | O_DIRECTORY)
        try synchronize(path, O_WRONLY | O_CREAT)
        try synchronize(folder, O_RDONLY | O_DIRECTORY)
    }

    private func entry(_ address: PartitionAddress) -> String {
        "\(folder)/\(address.service.rawValue).\(address.partition)"
    }

    private func synchronize(_ path: String, _ mode: Int32) throws(FileLock.Fault) {
        let descriptor = open(path, mode | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileLock.Fault(path: path, code: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw FileLock.Fault(path: path, code: errno) }
    }
}
