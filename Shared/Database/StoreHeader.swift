import Glibc

/// The application's two numbers in the header of a SQLite file, read without SQLite.
///
/// Source: "Database File Format", sqlite.org/fileformat2.html, 1.3: big-endian, the user version at byte 60, the
/// application id at byte 68. They date from the last checkpoint; the WAL may hold newer ones.
package struct StoreHeader: Equatable, Sendable {
    private static let bytes = 100
    private static let userVersionOffset = 60
    private static let applicationIDOffset = 68

    /// Set in the application id while an owner has the store: then the file is whole only together with its WAL.
    ///
    /// It turns the first letter of a label into a small one.
    static let inUse: UInt32 = 0x2000_0000

    package let userVersion: UInt32
    let applicationID: UInt32
    /// The application id without the mark of an owner.
    package var label: UInt32 { applicationID & ~Self.inUse }
    /// Whether the file was in use when it was written last: closed stores are not, killed ones and copies are.
    package var isInUse: Bool { applicationID & Self.inUse != 0 }

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
