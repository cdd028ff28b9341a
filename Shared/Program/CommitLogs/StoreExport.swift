package import Contracts
import Database
import Delivery
import Glibc
import PostgreSQL

/// A partition's store as a SQLite file, made from its log alone: for people's own SQL.
package struct StoreExport {
    private let log: GroupLog
    private let folder: String

    /// Into a folder that holds no home's stores.
    package init(_ log: GroupLog, into folder: String) {
        self.log = log
        self.folder = folder
    }

    /// Where the file of a partition is.
    package func path(of partition: PartitionAddress) -> String { "\(folder)/\(partition.nameInLog).sqlite" }

    /// Makes the file, or brings it up to date; no owner notices.
    ///
    /// The file says which log it follows, and no program takes it for a store of its own.
    ///
    /// - Returns: the position of the last entry that is in it.
    /// - Throws: `ConfigurationError` with the file and what is wrong with it or with the log.
    package func make(_ partition: PartitionAddress) throws(ConfigurationError) -> Int64 {
        let path = path(of: partition)
        var status = stat()
        guard stat("\(path).lock", &status) != 0 else {
            throw ConfigurationError(file: path, problem: "is a store of a home; choose another folder")
        }
        do {
            let commits = PostgreSQLLog(log.connection(), partition: partition.nameInLog)
            _ = try LocalCopy(at: path, of: commits).prepare()
            let store = try SQLiteDatabase(path: path, synchronous: .normal)
            let follower = try LogFollower(store)
            try follower.catchUp(with: commits)
            try follower.stop()
            try store.close()
            return follower.head.position
        } catch let fault as LogFault {
            throw log.refusal(fault)
        } catch let fault as LogFollowerFault {
            let problem = "does not follow this log, and can be removed: \(fault.text)"
            throw ConfigurationError(file: path, problem: problem)
        } catch {
            throw ConfigurationError(file: path, problem: "\(error)")
        }
    }
}
