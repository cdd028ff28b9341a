import Database
package import FoundationEssentials
import Glibc
import PostgreSQL
import ZeroMQ

/// The loaded catalog of a group whose hosts share a log: the newest row, which each host keeps as a file.
///
/// | the process dies | what is left |
/// |---|---|
/// | before the row | the former catalog everywhere |
/// | after it, before the file | hosts of a wire take it within 1 s, this one too; without one the next load does |
package struct GroupCatalog: Sendable {
    private static let pauseSeconds: UInt32 = 1

    private let log: GroupLog
    private let home: Home

    package init(_ log: GroupLog, of home: Home) {
        self.log = log
        self.home = home
    }

    /// The newest row, nil before the first load.
    ///
    /// - Throws: `ConfigurationError`.
    package func newest() throws(ConfigurationError) -> (number: Int64, bytes: Data)? {
        do throws(LogFault) {
            return try Self.newest(log.connection())
        } catch {
            throw log.refusal(error)
        }
    }

    /// Makes a catalog the newest one, behind the row of this number; 0 before the first load.
    ///
    /// - Returns: false where another host has loaded one since.
    /// - Throws: `ConfigurationError`; when PostgreSQL has not said what became of it, the same load is repeated.
    package func publish(_ bytes: Data, after number: Int64) throws(ConfigurationError) -> Bool {
        do throws(LogFault) {
            return try GroupRecords(log.connection())
                .load(.init(number: number + 1, bytes: [UInt8](bytes)))
        } catch {
            throw log.refusal(error)
        }
    }

    /// Takes the newest row for this host's loaded catalog, if there is one.
    ///
    /// - Throws: `ConfigurationError`; what writing the file throws.
    package func take() throws {
        if let newest = try newest() { try write(newest.bytes) }
    }

    /// Keeps this host's file as the newest row is, on a thread of its own, as long as the process lives.
    ///
    /// The row itself is read when `readings` tell of another one, and once a minute.
    package func follow(_ readings: GroupReadings) {
        let catalog = self
        runThread(name: "catalog") {
            let connection = catalog.log.connection(.brief)
            var known = Known()
            while true {
                sleep(Self.pauseSeconds)
                catalog.compare(&known, readings, connection)
            }
        }
    }

    /// The row that was read last.
    struct Known {
        static let rereadMilliseconds: Int64 = 60_000

        private(set) var number: Int64 = 0
        private(set) var bytes: Data?
        private var readAt = Int64.min

        /// Whether a reading does not say that it is the newest one still.
        func isOld(_ reading: GroupReadings.Reading) -> Bool {
            readAt == .min || reading.view.catalog != number
                || reading.began - readAt >= Self.rereadMilliseconds
        }

        /// Takes the newest row of a connection.
        ///
        /// - Returns: false if a reading tells of a newer one; then that connection's primary was replaced.
        mutating func take(
            _ newest: (number: Int64, bytes: Data)?,
            at reading: GroupReadings.Reading
        ) -> Bool {
            let found = newest?.number ?? 0
            guard found >= reading.view.catalog else { return false }
            (number, bytes, readAt) = (found, newest?.bytes, reading.began)
            return true
        }
    }

    /// What cannot be read or written now is tried again; the catalog that is loaded holds.
    private func compare(_ known: inout Known, _ readings: GroupReadings, _ connection: LogConnection) {
        do {
            let reading = try readings.fresh(within: Int64(Self.pauseSeconds) * 1_000)
            if known.isOld(reading), !known.take(try Self.newest(connection), at: reading) {
                return connection.disconnect()
            }
            guard let bytes = known.bytes, bytes != loaded else { return }
            let folder = open(home.dataFolder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard folder >= 0 else { return }
            defer { close(folder) }
            // A load holds it, too; what it has written meanwhile is newer.
            guard flock(folder, LOCK_EX | LOCK_NB) == 0 else { return }
            let latest = try readings.fresh(within: 0)
            guard known.take(try Self.newest(connection), at: latest) else { return connection.disconnect() }
            if let bytes = known.bytes, bytes != loaded { try write(bytes) }
        } catch {
            return
        }
    }

    private var loaded: Data? { FileManager.default.contents(atPath: home.loadedCatalogFile) }

    /// The row outlives a power cut: the file need not.
    private func write(_ bytes: Data) throws {
        try bytes.write(to: URL(filePath: home.loadedCatalogFile), options: .atomic)
    }

    private static func newest(
        _ connection: LogConnection
    ) throws(LogFault) -> (number: Int64, bytes: Data)? {
        try GroupRecords(connection).catalog().map { ($0.number, Data($0.bytes)) }
    }
}

extension Home {
    /// The catalog that the hosts of this home's group share; nil where it has no log, or no configuration yet.
    ///
    /// - Throws: `ConfigurationError`.
    package func groupCatalog() throws(ConfigurationError) -> GroupCatalog? {
        guard FileManager.default.fileExists(atPath: configurationFile),
            let store = try Configuration.store(writtenIn: self)
        else { return nil }
        return GroupCatalog(try GroupLog(store, of: self), of: self)
    }
}
