import Foundation

/// PostgreSQL of its own for a test: a primary, and its synchronous standby unless the test wants none or two.
package struct PostgreSQLServers: Sendable {
    /// Of the database, for `counterfoil init --store`.
    package let url: String
    private let folder: String

    private static let script = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "deploy/postgresql").path(percentEncoded: false)

    /// A primary that has ended, and the one in its place.
    package struct Promotion: Sendable {
        /// When nothing of the former primary was left, in microseconds since 1970.
        package let endedAt: Int64
        /// When the new one, which waits for a standby, acknowledged its first commit, in microseconds since 1970.
        package let acknowledgedAt: Int64
    }

    private static let patience = Duration.seconds(60)

    /// Servers that are gone when `body` is over; of two standbys one must have what is acknowledged.
    package static func use<Value>(
        standbys: Int = 1,
        _ body: (PostgreSQLServers) async throws -> Value
    ) async throws -> Value {
        let folder = "/tmp/cfpg" + UUID().uuidString.prefix(8).lowercased()
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755]
        )
        do {
            let started = try await run(
                ["start", folder + "/servers", "--standbys", String(standbys)],
                in: folder
            )
            let servers = PostgreSQLServers(
                url: started.trimmingCharacters(in: .whitespacesAndNewlines),
                folder: folder
            )
            let value = try await body(servers)
            try await servers.remove()
            return value
        } catch {
            try await PostgreSQLServers(url: "", folder: folder).remove()
            throw error
        }
    }

    /// Ends the primary as a power cut does, and starts it again.
    package func killPrimary() async throws { try await Self.run(["kill", folder + "/servers"], in: folder) }

    /// Ends the primary for good, as a power cut does, and after `pause` makes one of two standbys the primary.
    ///
    /// - Throws: `HarnessFault` where the new one acknowledges nothing within a minute.
    package func promote(after pause: Duration) async throws -> Promotion {
        let words = ["promote", folder + "/servers", String(pause / .seconds(1))]
        let told = try await Self.run(words, in: folder, within: Self.patience + pause)
        let times = told.split(whereSeparator: \.isWhitespace).compactMap { Int64($0) }
        guard times.count == 2 else { throw HarnessFault("promote says \(told)") }
        return Promotion(endedAt: times[0], acknowledgedAt: times[1])
    }

    /// The rows of a statement that the first primary does in the database of the URL; of NULL nothing is left.
    package func rows(of statement: String) async throws -> [[String]] {
        try await Self.run(["sql", folder + "/servers", statement], in: folder)
            .split(separator: "\n").map { row in
                row.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            }
    }

    /// Changes a setting of the primary, for connections that are made from now on.
    package func set(_ name: String, _ value: String) async throws {
        try await Self.run(["set", folder + "/servers", name, value], in: folder)
    }

    /// Has the first primary refuse each row that is written into the log, as for want of room on its disk.
    ///
    /// A disk of its own would need the rights of root.
    package func fillDisk() async throws {
        let message = "could not extend file: No space left on device"
        _ = try await rows(
            of: """
                CREATE OR REPLACE FUNCTION public.take_room() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN RAISE EXCEPTION USING ERRCODE = '53100', MESSAGE = '\(message)'; END $$;
                DO $$ DECLARE found text; BEGIN
                    FOR found IN SELECT tablename FROM pg_tables WHERE tablename LIKE 'counterfoil%' LOOP
                        EXECUTE format('CREATE OR REPLACE TRIGGER take_room BEFORE INSERT OR UPDATE ON public.%I '
                            'FOR EACH ROW EXECUTE FUNCTION public.take_room()', found);
                    END LOOP;
                END $$
                """
        )
    }

    /// Has it take what is written again.
    package func makeRoom() async throws {
        _ = try await rows(
            of: """
                CREATE OR REPLACE FUNCTION public.take_room() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN RETURN NEW; END $$
                """
        )
    }

    private func remove() async throws {
        if FileManager.default.fileExists(atPath: folder + "/servers/primary") {
            // Also when the test was cancelled.
            try await Task { _ = try await Self.run(["stop", folder + "/servers"], in: folder) }.value
        }
        try FileManager.default.removeItem(atPath: folder)
    }

    @discardableResult
    private static func run(
        _ arguments: [String],
        in folder: String,
        within limit: Duration = patience
    ) async throws -> String {
        let process = try ChildProcess(script, arguments, folder: folder)
        let end = try await process.finish(within: limit)
        guard end == .exited(0) else { throw HarnessFault("\(script): \(process.output)\(process.errors)") }
        return process.output
    }
}
