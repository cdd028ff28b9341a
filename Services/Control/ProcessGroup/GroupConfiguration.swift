import Foundation
import Glibc
import Program

/// What all programs of a group are told, in a file without a name that each of them inherits.
///
/// Nothing of it is left on the disk whenever this process ends, and nobody can change it.
final class GroupConfiguration {
    let version: String
    let configuration: Configuration
    /// Read by `ConfigurationSnapshot`; it closes on exec but where it is handed on.
    let descriptor: Int32

    /// Writes a snapshot of a home down.
    ///
    /// - Throws: `ConfigurationError`, `SystemFault` when there is no room for it.
    init(_ snapshot: ConfigurationSnapshot, of home: Home) throws {
        var told = home
        told.snapshot = snapshot
        version = snapshot.version
        configuration = try Configuration(of: told)
        let path = "\(home.root)/.configuration.\(getpid())"
        let writer = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard writer >= 0 else { throw SystemFault("open", path) }
        defer { close(writer) }
        // It loses its name while it is still empty.
        let reader = open(path, O_RDONLY | O_CLOEXEC)
        unlink(path)
        guard reader >= 0 else { throw SystemFault("open", path) }
        descriptor = try Descriptors.raised(reader)
        try FileHandle(fileDescriptor: writer).write(contentsOf: JSONEncoder().encode(snapshot))
    }

    deinit { close(descriptor) }
}
