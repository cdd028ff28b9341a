#if canImport(FoundationEssentials)
internal import FoundationEssentials
internal import Glibc
#else
internal import Darwin
internal import Foundation
#endif

/// A folder with a file for each record.
///
/// A record is written to a file of its own, flushed and renamed, and the folder is flushed: after a crash there is the
/// record as it was or as it is. A file that is damaged is left alone; one that cannot be opened now, as before the
/// phone's first unlock, makes `load` throw: its proof is not absent.
public actor FileProofStore: ProofStore {
    private static let suffix = ".json"
    private static let temporaryPrefix = ".writing-"
    private static let longestName = 120
    private let folder: String

    /// `folder` is made where it is missing; it belongs to this store alone.
    public init(folder: String) { self.folder = folder }

    /// All records that are whole, in the order of their names; it throws where the folder or a file does not open.
    public func load() throws -> [KeptRecord] {
        try makeFolder()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        // What a crash left half written is in no record's place.
        for name in names where name.hasPrefix(Self.temporaryPrefix) { unlink(path(name)) }
        return try names.filter { $0.hasSuffix(Self.suffix) }.compactMap { name in
            let file = open(path(name), O_RDONLY | O_CLOEXEC)
            guard file >= 0 || errno == ENOENT else { throw ProofStoreFailure(call: "open", code: errno) }
            close(file)
            guard let data = FileManager.default.contents(atPath: path(name)) else { return nil }
            do {
                let record = try JSONDecoder().decode(KeptRecord.self, from: data)
                // A file under another record's name would be forgotten for it.
                return Self.name(of: record.key) == name ? record : nil
            } catch { return nil }
        }
    }

    /// Returns when the record is on the disk; where it throws, this one or an older one is there, whole.
    public func keep(_ record: KeptRecord) throws {
        try makeFolder()
        let data = try JSONEncoder().encode(record)
        let temporary = path("\(Self.temporaryPrefix)\(getpid())")
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: temporary, contents: data, attributes: attributes),
            rename(try flushed(temporary), path(Self.name(of: record.key))) == 0
        else { throw ProofStoreFailure(call: "write", code: errno) }
        _ = try flushed(folder)
    }

    /// Returns when the record is gone from the disk; where it throws, it may still be there.
    public func forget(key: String) throws {
        guard unlink(path(Self.name(of: key))) == 0 || errno == ENOENT else {
            throw ProofStoreFailure(call: "unlink", code: errno)
        }
        _ = try flushed(folder)
    }

    private func path(_ name: String) -> String { "\(folder)/\(name)" }
    private func makeFolder() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    /// Letters, digits and hyphens stay as they are; a long key ends in a hash of the whole.
    static func name(of key: String) -> String {
        let safe = key.escaped(by: "=")
        guard safe.utf8.count > longestName else { return safe + suffix }
        // FNV-1a: two long keys that begin alike do not meet by accident.
        let hash = key.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return safe.prefix(longestName) + "=" + String(hash, radix: 16) + suffix
    }

    private func flushed(_ path: String) throws -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw ProofStoreFailure(call: "open", code: errno) }
        defer { close(file) }
        #if canImport(Darwin)
        // On a phone `fsync` alone leaves the data in the disk's memory.
        if fcntl(file, F_FULLFSYNC) == 0 { return path }
        #endif
        guard fsync(file) == 0 else { throw ProofStoreFailure(call: "fsync", code: errno) }
        return path
    }
}

extension String {
    /// Letters of English, digits and hyphens as they are; every other byte as `mark` and two hexadecimal digits.
    func escaped(by mark: String) -> String {
        utf8.map { byte in
            switch Character(UnicodeScalar(byte)) {
            case "0"..."9", "A"..."Z", "a"..."z", "-": String(UnicodeScalar(byte))
            case _: mark + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }
}
