import Contracts
import Delivery
import FoundationEssentials
import Program

/// What a backup holds, and how its files must be: `manifest.json` in its folder.
struct BackupManifest: Codable, Equatable {
    static let fileName = "manifest.json"
    static let catalogName = "catalog.json"
    static let currentFormat = 1

    struct File: Codable, Equatable {
        /// In the folder of the backup.
        let name: String
        let bytes: Int
        let sha256: String
    }

    struct Store: Codable, Equatable {
        let service: ServiceName
        let partition: Int
        let partitions: Int
        let file: File
        /// It has everything that was committed before.
        let copiedAt: Timestamp
        let contents: OfflineStore.Contents

        var address: PartitionAddress { PartitionAddress(service, partition) }
        var identity: PartitionIdentity { PartitionIdentity(address, of: partitions) }
    }

    let format: Int
    let program: String
    /// The identity of the home; see `Home.identity`.
    let home: String
    let beganAt: Timestamp
    let endedAt: Timestamp
    /// The loaded catalog.
    let catalog: File
    let stores: [Store]
}

extension Home {
    /// Holds the identity, which the first backup gives the home.
    var identityFile: String { dataFolder + "/home.id" }

    /// By which a backup of this home is told from another one's; nil before the first backup.
    var identity: String? {
        FileManager.default.contents(atPath: identityFile).map { String(decoding: $0, as: UTF8.self) }
    }

    func identify(as identity: String) throws {
        try DurableFile.replace(identityFile, with: Data(identity.utf8))
    }
}
