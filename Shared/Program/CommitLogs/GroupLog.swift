import Contracts
package import Database
import FoundationEssentials
import PostgreSQL
import ZeroMQ

/// The commit log of a home's group in PostgreSQL, as its configuration names it.
package struct GroupLog: Sendable {
    private static let patientChecks = 10

    private let store: Configuration.Store
    private let login: ServerLogin
    private let file: String
    private let pace = SearchPace()
    private let ending = LogEnding()

    /// Reads the password.
    ///
    /// - Throws: `ConfigurationError` about the URL, the password's file, or a variable that libpq would read.
    package init(
        _ store: Configuration.Store,
        of home: Home,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(ConfigurationError) {
        self.store = store
        file = home.configurationFile
        do throws(LogAddress.Refusal) {
            login = try ServerLogin(
                LogAddress(store.url),
                passwordFile: store.passwordFile.map(home.path),
                environment: environment
            )
        } catch {
            throw ConfigurationError(file: file, member: "store", problem: error.description)
        }
    }

    /// Makes the tables of this group, in a database that holds no other group's.
    ///
    /// - Throws: `ConfigurationError`, also where PostgreSQL does not answer or may lose what it acknowledges.
    package func make(partitions: Int) throws(ConfigurationError) {
        let names = ServiceName.allCases.flatMap { service in
            (0..<partitions).map { PartitionAddress(service, $0).nameInLog }
        }
        do throws(LogFault) {
            try LogTables(connection()).make(group: store.group, partitions: names)
        } catch {
            throw refusal(error)
        }
    }

    /// Fails unless PostgreSQL answers, keeps what it acknowledges, and holds this group's log in this version.
    ///
    /// - Throws: `ConfigurationError`.
    package func check() throws(ConfigurationError) {
        do throws(LogFault) {
            try look()
        } catch {
            throw refusal(error)
        }
    }

    /// The same for a program, which may begin without an answer and wait for it.
    ///
    /// A new primary may have no standby for a moment.
    ///
    /// - Returns: why PostgreSQL does not answer; nil if it does, and all is well.
    /// - Throws: `ConfigurationError`.
    func silence() async throws -> String? {
        var attempt = 1
        while true {
            do throws(LogFault) {
                try await lookAside()
                return nil
            } catch {
                if case .unreachable(let why) = error { return why }
                guard case .refused = error, attempt < Self.patientChecks else { throw refusal(error) }
            }
            attempt += 1
            try await Task.sleep(for: .seconds(1))
        }
    }

    /// Looks on a thread of its own, because that may take seconds.
    private func lookAside() async throws(LogFault) {
        typealias Seen = CheckedContinuation<Result<Void, LogFault>, Never>
        let seen = await withCheckedContinuation { (seen: Seen) in
            runThread(name: "log") { seen.resume(returning: Result { () throws(LogFault) in try look() }) }
        }
        try seen.get()
    }

    private func look() throws(LogFault) { try look(over: connection()) }

    /// Fails unless this group's log is there in this version.
    func look(over connection: LogConnection) throws(LogFault) {
        let found = try LogTables(connection).check()
        guard found == store.group else {
            throw .refused("the database holds the log of the group \(found), and this is \(store.group)")
        }
    }

    func refusal(_ fault: LogFault) -> ConfigurationError {
        let isTemporary = if case .unreachable = fault { true } else { false }
        return ConfigurationError(
            file: file,
            member: "store",
            problem: "\(login.address): \(fault.text)",
            isTemporary: isTemporary
        )
    }

    func connection(_ limits: LogLimits = LogLimits()) -> LogConnection {
        LogConnection(
            login,
            allowsSingle: store.allowSingle,
            limits: limits,
            pace: pace,
            ending: ending
        )
    }

    /// Lets no connection wait any longer for a primary that does not answer: the process is asked to end.
    func end() { ending.begin() }

    var allowsSingle: Bool { store.allowSingle }
}

extension LogFault {
    /// What is wrong, for people.
    package var text: String {
        switch self {
        case .unreachable(let why): "PostgreSQL does not answer: \(why)"
        case .pruned(let first): "the entries before \(first) are gone"
        case .unreadable(let why), .refused(let why): why
        }
    }
}

extension PartitionAddress {
    /// `orders/0`.
    var nameInLog: String { "\(service.rawValue)/\(partition)" }
}
