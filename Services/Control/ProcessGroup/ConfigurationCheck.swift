import Contracts
import Delivery
import FoundationEssentials
import Program

/// Checks a home's configuration before any running program is touched.
struct ConfigurationCheck {
    let home: Home
    let launcher: ChildLauncher

    /// Reads and checks everything; warns of files with secrets that every user may read.
    ///
    /// If `waitsForLog`, a commit log that does not answer is a warning, too: the programs wait for it.
    ///
    /// - Throws: `ConfigurationError` with file, line and column; `CommandFailure` with a program's report.
    func run(waitsForLog: Bool = false) throws -> SnapshotFile {
        let snapshot = try SnapshotFile(ConfigurationSnapshot(of: home), of: home)
        let secretFiles = home.secretFiles(of: snapshot.configuration)
        for exposure in secretFiles.compactMap(FileAccess.exposure) { Terminal.warn(exposure) }
        try launcher.checkExecutables()
        try checkAddresses(of: snapshot.configuration.http)
        try checkLog(snapshot.configuration.store, waits: waitsForLog)
        let checks = try GroupProgram.allCases.map { try launcher.startCheck(of: $0, snapshot) }
        if let failure = checks.compactMap({ $0.failure() }).first { throw failure }
        return snapshot
    }

    /// Looks at the commit log, if there is one.
    func checkLog(_ store: Configuration.Store?, waits: Bool) throws {
        guard let store else { return }
        do throws(ConfigurationError) {
            try GroupLog(store, of: home).check()
        } catch {
            guard waits, error.isTemporary else { throw error }
            Terminal.warn("\(error); the programs begin, and wait for it")
        }
    }

    /// Refuses addresses in use, except by a running gateway of this home.
    private func checkAddresses(of http: Configuration.HTTP) throws {
        let own = [try ownAddress(home.gatewayAddressFile), try ownAddress(home.operationsAddressFile)]
        for (member, address) in [("http.listen", http.listen), ("http.operations", http.operations)]
        where !own.contains(address) && !address.isFree {
            let problem = "\(address) is in use by another program; end that, or name another address"
            throw ConfigurationError(file: home.configurationFile, member: member, problem: problem)
        }
    }

    /// The address that a running gateway of this home wrote to its file.
    private func ownAddress(_ file: String) throws -> ListenAddress? {
        let lock = file + ".lock"
        // Only a gateway creates the lock file; created here, it could belong to another user.
        guard FileManager.default.fileExists(atPath: lock), try FileLock.attempt(path: lock) == nil else {
            return nil
        }
        return ListenAddress(writtenIn: file)
    }
}
