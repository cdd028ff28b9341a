import Contracts
import Database
import Delivery
import FoundationEssentials
import SystemPackage

/// Runs one partition on standard input and output, for debugging: without sockets, and with time and
/// randomness fixed where the command line or a record sets them.
struct StandardStreamsRun<Program: StatefulProgram> {
    let command: StatefulCommand<Program>
    let home: Home

    func run(_ service: Program.Partitioned) throws {
        let path = command.store ?? ":memory:"
        let lock = try lock(of: path)
        try checkStore(path)
        let store = try SQLiteDatabase(path: path)
        let engine = PartitionEngine(service: service, settings: try settings(path, store), store: store)
        var streams = try StandardStreams(
            engine: engine,
            now: command.now,
            hasSeed: command.seed != nil,
            partition: Self.partition(of: path)
        )
        var number = 0
        while let line = readLine() {
            number += 1
            if !line.isEmpty { try put(streams.handle(line, number: number)) }
        }
        try put(streams.end())
        try engine.leave()
        try store.close()
        _ = consume lock
        if streams.unusableLines > 0 { throw UnusableLines(count: streams.unusableLines) }
    }

    /// A store of the home that is missing is not made anew, and one that has a log is not written behind its back.
    private func checkStore(_ path: String) throws {
        guard let partition = Self.partition(of: path) else { return }
        let address = PartitionAddress(Program.Partitioned.name, partition)
        guard URL(filePath: path).standardized == URL(filePath: home.store(of: address)).standardized else {
            return
        }
        let isConfigured = FileManager.default.fileExists(atPath: home.configurationFile)
        if isConfigured, try Configuration(writtenIn: home).store != nil {
            let problem =
                "is a copy of its commit log, which would not know what is written here; give --store a copy"
            throw ConfigurationError(file: path, problem: problem)
        }
        guard let problem = home.storeRegister.problem(with: address, at: path) else { return }
        throw ConfigurationError(file: path, problem: problem)
    }

    /// Whoever opens a store locks it first, so that its owner is never disturbed.
    private func lock(of path: String) throws -> FileLock? {
        guard path != ":memory:" else { return nil }
        guard let lock = try FileLock.attempt(path: path + ".lock") else {
            let problem = "is in use by a running replica; end that or give --store a copy"
            throw ConfigurationError(file: path, problem: problem)
        }
        return lock
    }

    /// A store records its partition; for a new one the file name and the home decide.
    private func settings(_ path: String, _ store: SQLiteDatabase) throws -> PartitionEngine.Settings {
        let service = Program.Partitioned.name
        let isConfigured = FileManager.default.fileExists(atPath: home.configurationFile)
        let named = PartitionAddress(service, Self.partition(of: path) ?? 0)
        let partitions = isConfigured ? try Configuration(of: home).partitions : named.partition + 1
        let identity = try PartitionIdentity.recorded(in: store) ?? PartitionIdentity(named, of: partitions)
        guard identity.address.service == service else {
            let owner = "counterfoil-\(identity.address.service.rawValue)"
            throw ConfigurationError(file: path, problem: "is the store \(identity); give it to \(owner)")
        }
        var settings = PartitionEngine.Settings(address: identity.address, partitions: identity.partitions)
        settings.takesForeign = Self.partition(of: path) == nil
        settings.handlesOwnEvents = false
        if let seed = command.seed { settings.identifiers = IdentifierSource(seed: seed) }
        return settings
    }

    /// A home's stores are named by partition, `2.sqlite`; any other is partition 0 and takes all messages.
    private static func partition(of path: String) -> Int? {
        Int(URL(filePath: path).deletingPathExtension().lastPathComponent)
    }

    private func put(_ lines: [String]) throws {
        for line in lines { try FileDescriptor.standardOutput.writeAll((line + "\n").utf8) }
    }
}

/// Some input lines were unusable; each was refused in its place.
private struct UnusableLines: ProgramError {
    let count: Int

    var exitCode: Int32 { Launch.failureCode }
    var description: String {
        "\(count) \(count == 1 ? "line" : "lines") of the input could not be used; see each \"refused\""
    }
}
