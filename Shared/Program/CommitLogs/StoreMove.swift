package import Contracts
import Database
package import Delivery
import PostgreSQL

/// The stores of a home on their way into a commit log, while nothing of the group runs.
package struct StoreMove {
    /// A partition whose log makes the same store.
    package struct Carried: Sendable {
        package let partition: PartitionAddress
        package let tables: Int
        /// Of all tables.
        package let rows: Int
        fileprivate let head: LogHead
    }

    private let log: GroupLog
    private let home: Home
    private let partitions: Int
    private let crash: CrashSwitch

    /// Into a log whose tables are made; so many partitions has each service.
    package init(_ log: GroupLog, of home: Home, partitions: Int, crash: CrashSwitch) {
        self.log = log
        self.home = home
        self.partitions = partitions
        self.crash = crash
    }

    /// Puts a partition's store into its log, and proves that the log makes the same one; the store stays as it is.
    ///
    /// - Throws: `ConfigurationError` with the store or the log, and what is wrong with it.
    package func carry(_ partition: PartitionAddress) throws(ConfigurationError) -> Carried {
        try attempt(partition) { path in
            let whole = try OfflineStore(path: path, of: PartitionIdentity(partition, of: partitions))
            let rows = try whole.verified().rows
            try whole.close()
            let (store, beginning) = try open(partition, path)
            let head = try beginning.make()
            if let difference = try beginning.difference() {
                let problem = "the log does not make the same store: \(difference)"
                throw ConfigurationError(file: path, problem: problem)
            }
            try store.close()
            let count = rows.values.reduce(0, +)
            return Carried(partition: partition, tables: rows.count, rows: count, head: head)
        }
    }

    /// Notes in a store that it follows its log from now on, once all of the home are carried.
    ///
    /// - Throws: `ConfigurationError`.
    package func mark(_ carried: Carried) throws(ConfigurationError) {
        try attempt(carried.partition) { path in
            let (store, beginning) = try open(carried.partition, path)
            try beginning.mark(at: carried.head)
            crash.reach(.moveNoted)
            try store.close()
        }
    }

    private func open(
        _ partition: PartitionAddress,
        _ path: String
    ) throws -> (SQLiteDatabase, LogBeginning) {
        let store = try SQLiteDatabase(path: path)
        let commits = PostgreSQLLog(log.connection(), partition: partition.nameInLog)
        return (store, LogBeginning(of: store, in: commits) { crash.reach($0.crashPoint) })
    }

    private func attempt<Value>(
        _ partition: PartitionAddress,
        _ body: (String) throws -> Value
    ) throws(ConfigurationError) -> Value {
        let path = home.store(of: partition)
        do {
            return try body(path)
        } catch let error as ConfigurationError {
            throw error
        } catch let fault as LogFault {
            throw log.refusal(fault)
        } catch let fault as LogFollowerFault {
            throw ConfigurationError(file: path, problem: fault.text)
        } catch {
            throw ConfigurationError(file: path, problem: "\(error)")
        }
    }
}

extension LogBeginning.Step {
    /// Where a move ends when a test wants it to end after this step.
    fileprivate var crashPoint: CrashPoint {
        switch self {
        case .claimed: .moveClaimed
        case .copied: .moveCopied
        case .sent: .moveSent
        case .kept: .moveKept
        case .pruned: .movePruned
        case .remade: .moveRemade
        }
    }
}
