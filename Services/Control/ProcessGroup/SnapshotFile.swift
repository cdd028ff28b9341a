import Foundation
import Glibc
import Program

/// The snapshot of a group in a file without a name that every program of the group inherits.
///
/// Nothing of it is left on the disk whenever this process ends, and nobody can change it.
final class SnapshotFile {
    let version: String
    let configuration: Configuration
    /// Read by `ConfigurationSnapshot`; it closes on exec but where it is handed on.
    let descriptor: Int32

    /// Writes a snapshot of a home.
    init(_ snapshot: ConfigurationSnapshot, of home: Home) throws {
        var configured = home
        configured.snapshot = snapshot
        version = snapshot.version
        configuration = try Configuration(of: configured)
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
