import Contracts
import Crypto
import FoundationEssentials
import Glibc
import Program
import SystemPackage

/// Files that are on the disk when a function returns.
enum DurableFile {
    /// What `replace` has done.
    enum Step { case opened, written, synchronized, renamed }

    private static let chunkBytes = 1 << 20

    /// Puts a new file in the place of an old one, whole or not at all.
    ///
    /// It is complete on the disk before it takes the place in one step: whoever reads, and whenever this process dies,
    /// finds the old or the new one. A temporary file that it leaves is overwritten by the next call. Whoever may
    /// read `other` may read it, from its first byte on; without that its owner alone.
    ///
    /// - Throws: `SystemFault`.
    static func replace(
        _ path: String,
        with bytes: Data,
        forReadersOf other: String? = nil,
        reached: (Step) -> Void = { _ in }
    ) throws {
        let temporary = path + ".new"
        let fill = { (file: Descriptor) throws in
            if let other { try give(file, temporary, toReadersOf: other) }
            try append(bytes, to: file, temporary)
        }
        try make(temporary, fill, reached: reached)
        reached(.synchronized)
        try rename(temporary, to: path)
        reached(.renamed)
        try synchronize(folder: FilePath(path).removingLastComponent().string)
    }

    /// Makes a file that there is not yet, whole or not at all; of several processes that do so at once one makes it.
    ///
    /// A temporary file that is left where this process dies is nobody's.
    ///
    /// - Returns: Whether it was made; false where there was one.
    /// - Throws: `SystemFault`.
    @discardableResult
    static func create(_ path: String, with bytes: Data) throws -> Bool {
        let temporary = "\(path).\(UUID().uuidString).new"
        defer { unlink(temporary) }
        try write(bytes, to: temporary)
        guard link(temporary, path) == 0 else {
            if errno == EEXIST { return false }
            throw SystemFault("link", path)
        }
        try synchronize(folder: FilePath(path).removingLastComponent().string)
        return true
    }

    /// Removes a file, which may be gone already.
    ///
    /// - Throws: `SystemFault`.
    static func remove(_ path: String) throws {
        guard unlink(path) == 0 || errno == ENOENT else { throw SystemFault("unlink", path) }
        try synchronize(folder: FilePath(path).removingLastComponent().string)
    }

    static func write(_ bytes: Data, to path: String) throws {
        try make(path) { try append(bytes, to: $0, path) }
    }

    static func copy(_ source: String, to path: String) throws {
        let reader = try Descriptor.open(source, O_RDONLY)
        try make(path) { writer in
            while case let chunk = try reader.chunk(of: chunkBytes), !chunk.isEmpty {
                try append(chunk, to: writer, path)
            }
        }
    }

    /// How many bytes a file has, and their SHA-256 in hexadecimal.
    static func digest(of path: String) throws -> (bytes: Int, sha256: String) {
        let reader = try Descriptor.open(path, O_RDONLY)
        var (bytes, hash) = (0, SHA256())
        while case let chunk = try reader.chunk(of: chunkBytes), !chunk.isEmpty {
            bytes += chunk.count
            hash.update(data: chunk)
        }
        return (bytes, hash.finalize().hexadecimal)
    }

    /// Makes the names in a folder durable.
    static func synchronize(folder path: String) throws {
        let folder = try Descriptor.open(path, O_RDONLY | O_DIRECTORY)
        guard fsync(folder.number) == 0 else { throw SystemFault("fsync", path) }
    }

    static func rename(_ source: String, to path: String) throws {
        guard Glibc.rename(source, path) == 0 else { throw SystemFault("rename", path) }
    }

    private static func make(
        _ path: String,
        _ fill: (Descriptor) throws -> Void,
        reached: (Step) -> Void = { _ in }
    ) throws {
        let file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC)
        reached(.opened)
        try fill(file)
        reached(.written)
        guard fsync(file.number) == 0 else { throw SystemFault("fsync", path) }
    }

    /// Root alone may give a file to another owner.
    ///
    /// Where this user is not of the group of `other`, no group may read it.
    private static func give(_ file: Descriptor, _ path: String, toReadersOf other: String) throws {
        var status = stat()
        guard stat(other, &status) == 0 else { throw SystemFault("stat", other) }
        let isRoot = geteuid() == 0
        let isGiven = fchown(file.number, isRoot ? status.st_uid : uid_t.max, status.st_gid) == 0
        guard isGiven || !isRoot, fchmod(file.number, status.st_mode & (isGiven ? 0o777 : 0o707)) == 0 else {
            throw SystemFault("chmod", path)
        }
    }

    private static func append(_ bytes: some Sequence<UInt8>, to file: Descriptor, _ path: String) throws {
        do {
            try file.writeAll(bytes)
        } catch let error as Errno {
            throw SystemFault("write", path, code: error.rawValue)
        }
    }
}
