import Foundation
import TestKit

@testable import PostgreSQL

/// The servers of one test, in a folder that goes with them, also if the test is killed.
final class Cluster {
    let folder: URL
    /// Reads until this process ends, whatever ends it.
    private let watchdog: pid_t
    private let lifeline: Int32
    private(set) var servers: [Server] = []

    init() throws {
        folder = URL(filePath: "/tmp/pg-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        if geteuid() == 0, let nobody = getpwnam("nobody") {
            chown(folder.path(), nobody.pointee.pw_uid, nobody.pointee.pw_gid)
        }
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw ServerPrograms.Failed(description: "no pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let words = ["/bin/sh", "-c", Self.cleaning, "sh", folder.path()]
        watchdog = try ServerPrograms.spawn(words, input: ends[0], output: "/dev/null")
        close(ends[0])
        lifeline = ends[1]
    }

    private static let cleaning = """
        read -r _
        for file in "$1"/*/postmaster.pid "$1"/pgbouncer.pid; do
            [ -e "$file" ] && kill -KILL "$(head -n 1 "$file")" 2>/dev/null
        done
        rm -rf "$1"
        """

    deinit {
        close(lifeline)
        _ = ServerPrograms.wait(for: watchdog)
    }

    /// A primary alone, with a database that holds the log of the partitions.
    func primary(_ settings: [String: String] = [:]) throws -> Server {
        let server = try Server(name: "primary", in: folder)
        try ServerPrograms.run(
            "initdb",
            [
                "-D", server.path, "-U", "counterfoil", "--auth=trust", "--no-sync", "--encoding=UTF8",
                "--locale=C.UTF-8",
            ]
        )
        try server.configure(settings)
        try server.start()
        servers.append(server)
        return server
    }

    /// A primary with a synchronous standby, whose log has the partition `orders/0`.
    func pair() throws -> (primary: Server, standby: Server) {
        let primary = try primary()
        let standby = try Server(name: "standby", in: folder)
        try ServerPrograms.run(
            "pg_basebackup",
            [
                "-D", standby.path, "-R", "--checkpoint=fast", "--no-sync", "-d",
                "host=127.0.0.1 port=\(primary.port) user=counterfoil application_name=standby",
            ]
        )
        try standby.configure([:])
        try standby.start()
        servers.append(standby)
        try primary.set("synchronous_standby_names", "standby")
        try primary.wait("EXISTS (SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync')")
        try LogTables(try primary.connection()).make(group: "test", partitions: ["orders/0"])
        return (primary, standby)
    }

    /// A transaction pooler in front of a server; its port.
    func pooler(of server: Server) throws -> UInt16 {
        let port = try Server.freePort()
        let file = folder.appending(path: "pgbouncer.ini").path()
        let text = """
            [databases]
            postgres = user=counterfoil host=127.0.0.1 port=\(server.port)
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = \(port)
            unix_socket_dir =
            auth_type = any
            pool_mode = transaction
            default_pool_size = 2
            server_lifetime = 0
            pidfile = \(folder.path())/pgbouncer.pid
            logfile = \(folder.path())/pgbouncer.log

            """
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        try ServerPrograms.run("pgbouncer", ["-d", "-q", file])
        return port
    }
}

/// One server.
final class Server: Sendable {
    let name: String
    let path: String
    let port: UInt16

    init(name: String, in folder: URL) throws {
        self.name = name
        path = folder.appending(path: name).path()
        port = try Self.freePort()
    }

    static func freePort() throws -> UInt16 {
        guard let port = FreePorts.base(count: 1) else {
            throw ServerPrograms.Failed(description: "no port is free")
        }
        return port
    }

    fileprivate func configure(_ settings: [String: String]) throws {
        let all = [
            "port": "\(port)", "listen_addresses": "127.0.0.1", "unix_socket_directories": "",
            "shared_buffers": "16MB", "max_connections": "20", "wal_receiver_status_interval": "1s",
            "primary_slot_name": "", "logging_collector": "off", "lc_messages": "C",
        ].merging(settings) { $1 }
        let lines = all.sorted { $0.key < $1.key }.map { "\($0.key) = '\($0.value)'\n" }.joined()
        let file = try FileHandle(forWritingTo: URL(filePath: path + "/postgresql.conf"))
        try file.seekToEnd()
        try file.write(contentsOf: Data(lines.utf8))
        try file.close()
    }

    func start() throws {
        try ServerPrograms.run("pg_ctl", ["start", "-w", "-D", path, "-l", path + ".log"])
    }

    /// Ends it as a power cut does, or in order.
    func stop(_ mode: String = "immediate") throws {
        try ServerPrograms.run("pg_ctl", ["stop", "-w", "-D", path, "-m", mode])
    }

    func promote() throws { try ServerPrograms.run("pg_ctl", ["promote", "-w", "-D", path]) }

    @discardableResult
    func sql(_ text: String) throws -> String {
        try ServerPrograms.run(
            "psql",
            [
                "-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p", "\(port)", "-U",
                "counterfoil", "-d", "postgres", "-c", text,
            ]
        )
    }

    func set(_ setting: String, _ value: String) throws {
        try sql("ALTER SYSTEM SET \(setting) = '\(value)'")
        try sql("SELECT pg_reload_conf()")
        try wait("current_setting('\(setting)') = '\(value)'")
    }

    /// Waits in the server until a condition holds, 20 s at most.
    func wait(_ condition: String) throws {
        try sql(
            """
            DO $$ BEGIN
                FOR turn IN 1..1000 LOOP
                    PERFORM pg_stat_clear_snapshot();
                    IF \(condition) THEN RETURN; END IF;
                    PERFORM pg_sleep(0.02);
                END LOOP;
                RAISE EXCEPTION 'it does not come true';
            END $$
            """
        )
    }

    /// Sends a signal to a process of the server.
    func signal(_ signal: Int32, _ query: String) throws {
        guard let pid = pid_t(try sql(query)) else { throw ServerPrograms.Failed(description: "no process") }
        kill(pid, signal)
    }

    var address: String { "127.0.0.1:\(port)" }

    func connection(allowsSingle: Bool = false, limits: LogLimits = .quick) throws -> LogConnection {
        try Server.connection(to: address, allowsSingle: allowsSingle, limits: limits)
    }

    static func connection(
        to hosts: String,
        allowsSingle: Bool = false,
        limits: LogLimits = .quick
    ) throws -> LogConnection {
        let address = try LogAddress("postgresql://counterfoil@\(hosts)/postgres")
        return LogConnection(
            try ServerLogin(address, environment: [:]),
            allowsSingle: allowsSingle,
            limits: limits
        )
    }

    /// Has each write of an entry fail with this SQLSTATE and `no room`, until the trigger `raise` is dropped.
    func raise(_ state: String) throws {
        try sql(
            """
            CREATE FUNCTION public.raise() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION USING ERRCODE = '\(state)', MESSAGE = 'no room'; END $$;
            CREATE TRIGGER raise BEFORE INSERT OR UPDATE ON public.counterfoil_entry
            FOR EACH ROW EXECUTE FUNCTION public.raise()
            """
        )
    }

    /// What the log holds, without the log's own code.
    func entries() throws -> [String] {
        try sql(
            "SELECT position || ' ' || convert_from(bytes, 'UTF8') FROM public.counterfoil_entry"
                + " WHERE partition = 'orders/0' AND position > 0 ORDER BY position"
        ).split(separator: "\n").map(String.init)
    }
}

extension LogLimits {
    /// As long as a test waits for what does not come.
    static var quick: LogLimits {
        var limits = LogLimits()
        limits.append = 4_000
        limits.attempt = 600
        return limits
    }
}
