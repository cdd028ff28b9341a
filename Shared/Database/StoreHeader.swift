import Glibc

/// The application's two numbers in the header of a SQLite file, read without SQLite.
///
/// Source: "Database File Format", sqlite.org/fileformat2.html, 1.3: big-endian, the user version at byte 60, the
/// application id at byte 68. They date from the last checkpoint; the log may hold newer ones.
package struct StoreHeader: Equatable, Sendable {
    private static let bytes = 100
    private static let userVersionOffset = 60
    private static let applicationIDOffset = 68

    package let userVersion: UInt32
    package let applicationID: UInt32

    /// The header of the file at `path`; nil when the file is missing or empty.
    ///
    /// Only for a process that has no store open: closing any descriptor of a file drops all of the process's locks on
    /// it, SQLite's too.
    ///
    /// - Throws: `StoreError.failed` when the file exists and cannot be read.
    package static func read(path: String) throws(StoreError) -> StoreHeader? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw .failed("\(path): \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        return StoreHeader(descriptor: descriptor)
    }

    /// Nil when the file is shorter than a header.
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
