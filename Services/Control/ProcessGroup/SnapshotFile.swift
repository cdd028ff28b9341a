import Foundation
import Glibc
import Program

/// The group's snapshot in an unlinked file that every program inherits.
///
/// Nothing stays on the disk if this process dies at any moment, and nobody can change it.
final class SnapshotFile {
    let version: String
    let configuration: Configuration
    /// Close-on-exec unless handed to a child.
    let descriptor: Int32

    init(_ snapshot: ConfigurationSnapshot, of home: Home) throws {
        var configured = home
        configured.snapshot = snapshot
        version = snapshot.version
        configuration = try Configuration(of: configured)
        let path = "\(home.root)/.configuration.\(getpid())"
        let writer = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard writer >= 0 else { throw SystemFault("open", path) }
        defer { close(writer) }
        // Unlinked while it is still empty.
        let reader = open(path, O_RDONLY | O_CLOEXEC)
        unlink(path)
        guard reader >= 0 else { throw SystemFault("open", path) }
        descriptor = try Descriptors.raised(reader)
        try FileHandle(fileDescriptor: writer).write(contentsOf: JSONEncoder().encode(snapshot))
    }

    deinit { close(descriptor) }
}
