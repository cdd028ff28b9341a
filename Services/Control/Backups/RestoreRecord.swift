import Contracts
import Delivery
import FoundationEssentials
import Program

/// What a restore is about to put back: the content of its mark in the home.
///
/// A restore that was interrupted is done again with what it has recorded: its former stores stay where they are, and
/// the home is as new as it was.
struct RestoreRecord: Codable, Equatable {
    /// When the first attempt began; names the folder of the former stores.
    let beganAt: Timestamp
    /// Whether the home had no store then, so that it becomes the one that was backed up.
    let isNewHome: Bool
    /// In the file, one a line.
    let partitions: [PartitionAddress]

    /// That of the restore which did not end; nil without one.
    static func unfinished(in home: Home) throws(ConfigurationError) -> RestoreRecord? {
        guard home.restoreMark.isSet else { return nil }
        let file = home.restoreMark.path
        do {
            return try JSONDecoder().decode(RestoreRecord.self, from: Data(contentsOf: URL(filePath: file)))
        } catch {
            let problem =
                "is not what `counterfoil restore` wrote: \(error); move it away, and restore all partitions"
            throw ConfigurationError(file: file, problem: problem)
        }
    }

    func write(in home: Home) throws {
        try DurableFile.replace(home.restoreMark.path, with: home.encoded(self))
    }

    /// Refuses to leave out a partition whose store an interrupted restore may have replaced.
    func checkContinued(with chosen: [PartitionAddress], in home: Home) throws(ConfigurationError) {
        let left = Set(partitions).subtracting(chosen).sorted()
        guard !left.isEmpty else { return }
        let names = left.map(\.description).joined(separator: ", ")
        let problem =
            "a restore that was interrupted was to put back \(names), too; name them with --partition as well, "
            + "or restore all partitions"
        throw ConfigurationError(file: home.restoreMark.path, problem: problem)
    }
}
