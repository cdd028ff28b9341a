import Contracts
import Delivery
import Foundation
import Glibc
import Program

/// Finds out whether a home's configuration would work, before anything that runs is touched.
struct ConfigurationCheck {
    /// How long a program may take to read its configuration, in milliseconds.
    static let patience: Int64 = 20_000

    let home: Home
    let launcher: ChildLauncher

    /// Reads the files, and lets every program say whether it can begin with them.
    ///
    /// - Throws: `ConfigurationError` with file, line and column; `CommandFailure` with what a program complains of.
    func run() throws -> GroupConfiguration {
        let configuration = try GroupConfiguration(ConfigurationSnapshot(of: home), of: home)
        try launcher.checkExecutables()
        try checkAddresses(of: configuration.configuration)
        let programs = try GroupProgram.allCases.map { program in
            (program, try launcher.startCheck(of: program, configuration))
        }
        let failures = programs.compactMap { $0.1.failure(of: $0.0, within: Self.patience) }
        if let failure = failures.first { throw failure }
        return configuration
    }

    /// Where a living gateway of this home says in a file that it listens.
    private func ownAddress(_ file: String) throws -> ListenAddress? {
        let lock = file + ".lock"
        // Made by a gateway only: made here, it could belong to somebody who is no gateway.
        guard FileManager.default.fileExists(atPath: lock), try FileLock.attempt(path: lock) == nil else {
            return nil
        }
        return GatewayAddressFile(path: file).read()
    }

    /// Refuses addresses at which somebody else listens; those of a living gateway of this home are its own.
    private func checkAddresses(of configuration: Configuration) throws {
        let own = [try ownAddress(home.gatewayAddressFile), try ownAddress(home.operationsAddressFile)]
        for (member, address) in configuration.http.addresses
        where !own.contains(address) && !ListenProbe.isFree(address) {
            throw ConfigurationError(
                file: home.configurationFile,
                member: member,
                problem: "\(address) is in use by another program; end that, or name another address"
            )
        }
    }
}

/// A program that reads its configuration and ends.
struct ProgramCheck {
    let pid: pid_t
    /// Where it complains.
    let errors: Int32

    /// What it complained of; nil when all was well.
    func failure(of program: GroupProgram, within milliseconds: Int64) -> CommandFailure? {
        defer { close(errors) }
        let end = MonotonicClock.now + milliseconds
        var said: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while let bytes = Descriptors.readAvailable(errors, into: &buffer) {
            said += bytes
            let rest = end - MonotonicClock.now
            guard rest > 0 else { return overdue(program, milliseconds) }
            var polled = pollfd(fd: errors, events: Int16(POLLIN), revents: 0)
            poll(&polled, 1, Int32(clamping: rest))
        }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        switch ProcessEnd(waitStatus: status) {
        case .exited(0): return nil
        case let end:
            let lines = String(decoding: said, as: UTF8.self).split(separator: "\n")
            let text = lines.last.map(String.init) ?? "\(program.executable) \(end)"
            let code = if case .exited(let code) = end { code } else { Launch.failureCode }
            return CommandFailure(description: text, exitCode: code)
        }
    }

    private func overdue(_ program: GroupProgram, _ milliseconds: Int64) -> CommandFailure {
        kill(pid, SIGKILL)
        var status: Int32 = 0
        waitpid(pid, &status, 0)
        let seconds = milliseconds / 1_000
        return CommandFailure(
            description: "\(program.executable) did not read its configuration within \(seconds) s"
        )
    }
}

extension Configuration.HTTP {
    /// Where the gateway listens, with the members that say so.
    var addresses: [(member: String, address: ListenAddress)] {
        [("http.listen", listen), ("http.operations", operations)]
    }
}
