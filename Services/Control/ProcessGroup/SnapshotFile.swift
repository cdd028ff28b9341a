import FoundationEssentials
import Glibc
import Program
import SystemPackage

/// The group's snapshot in an unlinked file that every program inherits.
///
/// Nothing stays on the disk if this process dies at any moment, and nobody can change it.
struct SnapshotFile {
    let version: String
    let configuration: Configuration
    let descriptor: Descriptor

    init(_ snapshot: ConfigurationSnapshot, of home: Home) throws {
        var configured = home
        configured.snapshot = snapshot
        version = snapshot.version
        configuration = try Configuration(of: configured)
        let path = "\(home.root)/.configuration.\(getpid())"
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC
        let writer = try Descriptor(open(path, flags, 0o600), from: "open", path)
        let reader = open(path, O_RDONLY | O_CLOEXEC)
        // Unlinked while it is still empty.
        unlink(path)
        descriptor = try Descriptor(reader, from: "open", path)
        let file = FileDescriptor(rawValue: writer.number)
        let bytes = try JSONEncoder().encode(snapshot)
        try withExtendedLifetime(writer) { _ = try file.writeAll(bytes) }
    }
}
