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
        let opened = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw SystemFault("open", path) }
        // It loses its name while it is still empty.
        unlink(path)
        descriptor = try Descriptors.raised(opened)
        try FileHandle(fileDescriptor: descriptor).write(contentsOf: JSONEncoder().encode(snapshot))
    }

    deinit { close(descriptor) }
}
