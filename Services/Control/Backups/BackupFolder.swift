import FoundationEssentials
import Program

/// The folder of a backup.
struct BackupFolder {
    let path: String

    /// A relative path starts at the current folder.
    init(_ path: String) { self.path = URL(filePath: path).standardizedFileURL.path(percentEncoded: false) }

    func path(of name: String) -> String { "\(path)/\(name)" }

    /// What a file of the backup is now.
    func file(_ name: String) throws -> BackupManifest.File {
        let (bytes, digest) = try DurableFile.digest(of: path(of: name))
        return BackupManifest.File(name: name, bytes: bytes, sha256: digest)
    }

    /// - Throws: `ConfigurationError` when this is no backup, or one of a newer program.
    func manifest() throws -> BackupManifest {
        let file = path(of: BackupManifest.fileName)
        guard let bytes = FileManager.default.contents(atPath: file) else {
            let problem =
                "is no backup: it has no \(BackupManifest.fileName); name what `counterfoil backup` made"
            throw ConfigurationError(file: path, problem: problem)
        }
        let manifest: BackupManifest
        do {
            manifest = try JSONDecoder().decode(BackupManifest.self, from: bytes)
        } catch {
            let problem = "is no backup's manifest, or was changed: \(error); restore another backup"
            throw ConfigurationError(file: file, problem: problem)
        }
        guard manifest.format == BackupManifest.currentFormat else {
            let problem =
                "has format \(manifest.format), and this program reads \(BackupManifest.currentFormat); "
                + "restore it with the version of Counterfoil that made it"
            throw ConfigurationError(file: file, problem: problem)
        }
        return manifest
    }

    /// Refuses a file that is missing or not as it was written, byte for byte.
    func verify(_ file: BackupManifest.File) throws {
        let path = path(of: file.name)
        guard FileManager.default.fileExists(atPath: path) else {
            throw ConfigurationError(file: path, problem: "is missing in the backup; restore another one")
        }
        guard try self.file(file.name) == file else {
            let problem =
                "is not what was backed up: its size or SHA-256 differs from the manifest's; restore another backup"
            throw ConfigurationError(file: path, problem: problem)
        }
    }
}
