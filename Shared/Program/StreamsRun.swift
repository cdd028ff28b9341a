import Contracts
import Database
import Delivery
import Foundation

/// Runs one partition on standard input and output, for debugging: no sockets, and no clock or randomness
/// but those
/// that the command line fixes.
struct StreamsRun<Program: StatefulProgram> {
    let command: StatefulCommand<Program>
    let home: Home

    func run(_ service: Program.Partitioned) throws {
        let path = command.store ?? ":memory:"
        let lock = try lock(of: path)
        let store = try SQLiteDatabase(path: path)
        let engine = PartitionEngine(service: service, settings: try settings(path), store: store)
        let moment = command.now.map { Moment(now: $0.time, uptime: 0) } ?? .current()
        _ = try engine.takeOver(at: moment)
        let streams = StandardStreams(engine: engine, now: command.now?.time)
        var number = 0
        while let line = readLine() {
            number += 1
            if !line.isEmpty { try put(streams.handle(line, number: number)) }
        }
        try put(streams.end())
        try engine.leave()
        try store.close()
        _ = consume lock
    }

    /// Whoever opens a store takes its lock first, so that a live owner is never disturbed.
    private func lock(of path: String) throws -> FileLock? {
        guard path != ":memory:" else { return nil }
        guard let lock = try FileLock.attempt(path: path + ".lock") else {
            let problem = "is in use by a running replica; end that or give --store a copy"
            throw ConfigurationError(file: path, problem: problem)
        }
        return lock
    }

    private func settings(_ path: String) throws -> PartitionEngine.Settings {
        let isConfigured = FileManager.default.fileExists(atPath: home.configurationFile)
        let partitions =
            isConfigured ? try Configuration(of: home).partitions : Configuration.defaultPartitions
        return PartitionEngine.Settings(
            address: PartitionAddress(Program.Partitioned.name, Self.partition(of: path)),
            partitions: partitions,
            identifiers: command.seed.map { IdentifierSource(seed: $0) } ?? IdentifierSource()
        )
    }

    /// Stores of a home are named by their partition, `2.sqlite`; any other is taken for partition 0.
    private static func partition(of path: String) -> Int {
        Int(URL(filePath: path).deletingPathExtension().lastPathComponent) ?? 0
    }

    private func put(_ lines: [String]) throws {
        for line in lines { try FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8)) }
    }
}
