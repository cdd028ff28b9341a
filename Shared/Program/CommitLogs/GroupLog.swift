import Contracts
package import Database
import FoundationEssentials
package import Logging
import PostgreSQL

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

    /// The same for a program that goes on without an answer, and waits for PostgreSQL.
    ///
    /// A new primary may have no standby for a moment.
    ///
    /// - Throws: `ConfigurationError`.
    package func check(patiently logger: Logger) async throws {
        for attempt in 1...Self.patientChecks {
            do throws(LogFault) {
                return try look()
            } catch {
                if case .unreachable(let why) = error {
                    let metadata: [LogKey: Logger.MetadataValue] = [.error: "\(why)"]
                    return logger.warning(
                        "PostgreSQL does not answer; no partition is taken until it does",
                        metadata: .init(metadata)
                    )
                }
                guard case .refused = error, attempt < Self.patientChecks else { throw refusal(error) }
            }
            try await Task.sleep(for: .seconds(1))
        }
    }

    private func look() throws(LogFault) {
        let found = try LogTables(connection()).check()
        guard found == store.group else {
            throw .refused("the database holds the log of the group \(found), and this is \(store.group)")
        }
    }

    func refusal(_ fault: LogFault) -> ConfigurationError {
        ConfigurationError(file: file, member: "store", problem: "\(login.address): \(fault.text)")
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
