import FoundationEssentials
import Glibc
import Program

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
        let writer = try Descriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC)
        let reader = open(path, O_RDONLY | O_CLOEXEC)
        // Unlinked while it is still empty.
        unlink(path)
        descriptor = try Descriptor(reader, from: "open", path)
        try writer.writeAll(JSONEncoder().encode(snapshot))
    }
}
