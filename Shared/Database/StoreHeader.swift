import Glibc

/// The two numbers in the first page of a SQLite file that belong to its application, read without SQLite.
///
/// Source: "Database File Format", sqlite.org/fileformat2.html, 1.3: big-endian, the user version at byte 60, the
/// application id at byte 68. They are what the last checkpoint moved into the file; the log may hold newer ones.
package struct StoreHeader: Equatable, Sendable {
    private static let bytes = 100
    private static let userVersionOffset = 60
    private static let applicationIDOffset = 68

    /// `PRAGMA user_version`, here the seal of the file's generation.
    package let userVersion: UInt32
    /// `PRAGMA application_id`, here a label for what the store is.
    package let applicationID: UInt32

    /// The header of the file at `path`; nil when there is none, or nothing in it yet.
    ///
    /// Only for a process that has no store open: closing any descriptor of a file drops all locks that the process
    /// has on it, SQLite's too.
    ///
    /// - Throws: `StoreError.failed` when the file is there and cannot be read.
    package static func read(path: String) throws(StoreError) -> StoreHeader? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw .failed("\(path): \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        return StoreHeader(descriptor: descriptor)
    }

    /// The header of an open file; nil when it is shorter than a header.
    init?(descriptor: Int32) {
        var buffer = [UInt8](repeating: 0, count: Self.bytes)
        guard pread(descriptor, &buffer, Self.bytes, 0) == Self.bytes else { return nil }
        func number(at offset: Int) -> UInt32 {
            buffer[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
        }
        userVersion = number(at: Self.userVersionOffset)
        applicationID = number(at: Self.applicationIDOffset)
    }
}
