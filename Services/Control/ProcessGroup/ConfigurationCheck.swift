import Contracts
import Delivery
import Foundation
import Glibc
import Program

/// Finds out whether a home's configuration would work, before anything that runs is touched.
struct ConfigurationCheck {
    let home: Home
    let launcher: ChildLauncher

    /// Reads the files, and lets every program tell whether it can begin with them.
    ///
    /// - Throws: `ConfigurationError` with file, line and column; `CommandFailure` with what a program reports.
    func run() throws -> SnapshotFile {
        let snapshot = try SnapshotFile(ConfigurationSnapshot(of: home), of: home)
        try launcher.checkExecutables()
        try checkAddresses(of: snapshot.configuration.http)
        let checks = try GroupProgram.allCases.map { try launcher.startCheck(of: $0, snapshot) }
        if let failure = checks.compactMap({ $0.failure() }).first { throw failure }
        return snapshot
    }

    /// Refuses addresses at which somebody else listens; those of a living gateway of this home are its own.
    private func checkAddresses(of http: Configuration.HTTP) throws {
        let own = [try ownAddress(home.gatewayAddressFile), try ownAddress(home.operationsAddressFile)]
        for (member, address) in [("http.listen", http.listen), ("http.operations", http.operations)]
        where !own.contains(address) && !address.isFree {
            throw ConfigurationError(
                file: home.configurationFile,
                member: member,
                problem: "\(address) is in use by another program; end that, or name another address"
            )
        }
    }

    /// Where a living gateway of this home listens, as it writes in a file.
    private func ownAddress(_ file: String) throws -> ListenAddress? {
        let lock = file + ".lock"
        // Made by a gateway only: made here, it could belong to somebody who is no gateway.
        guard FileManager.default.fileExists(atPath: lock), try FileLock.attempt(path: lock) == nil else {
            return nil
        }
        return ListenAddress(writtenIn: file)
    }
}

/// A program that reads its configuration and ends.
struct ProgramCheck {
    /// How long a program may take to read its configuration, in milliseconds.
    private static let patience: Int64 = 20_000

    let program: GroupProgram
    let pid: pid_t
    let errors: Int32

    /// What it reported; nil when all was well.
    func failure() -> CommandFailure? {
        defer { close(errors) }
        let deadline = MonotonicClock.now + Self.patience
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while let bytes = Descriptors.readAvailable(errors, into: &buffer) {
            output += bytes
            if MonotonicClock.now >= deadline { kill(pid, SIGKILL) }
            _ = Descriptors.isReadable(errors, within: max(1, deadline - MonotonicClock.now))
        }
        switch ProcessEnd.wait(for: pid) {
        case .exited(0): return nil
        case .signaled(SIGKILL) where MonotonicClock.now >= deadline:
            let seconds = Self.patience / 1_000
            let problem = "\(program.executable) did not read its configuration within \(seconds) s"
            return CommandFailure(description: problem)
        case let end:
            let text = String(decoding: output, as: UTF8.self).split(separator: "\n").last.map(String.init)
            return CommandFailure(description: text ?? "\(program.executable) \(end)", exitCode: end.exitCode)
        }
    }
}
