import Glibc
import ZeroMQ

extension Wire {
    private static let announceSeconds: UInt32 = 1

    /// Tells other hosts, on a thread that ends with the process, whom a program lets in that owns nothing.
    ///
    /// A host takes partitions only once such a program could speak to them, too.
    ///
    /// - Throws: `ConfigurationError` about the log's URL, or the password's file.
    package func announce(
        _ program: String,
        replica: Int,
        _ configuration: Configuration,
        of home: Home
    ) throws(ConfigurationError) {
        guard let store = configuration.store, let host, let keys else { return }
        let log = try GroupLog(store, of: home)
        let members = PostgreSQLMembers(
            log,
            GroupReadings(log),
            of: program,
            host: host,
            keys: keys,
            replica: replica
        )
        runThread(name: "member") {
            while true {
                do {
                    try members.announce(members.word)
                } catch {
                    // The next one says the same.
                }
                sleep(Self.announceSeconds)
            }
        }
    }
}
