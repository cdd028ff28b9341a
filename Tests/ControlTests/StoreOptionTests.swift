import ArgumentParser
import Contracts
import Foundation
import NIOConcurrencyHelpers
import Testing
import ZeroMQ

@testable import Control
@testable import Program

@Suite struct `a home whose commits are kept in PostgreSQL` {
    struct Case: Sendable {
        let written: String
        let url: String
        let password: String?
    }

    static let cases = [
        Case(written: "postgresql://cf:cf@db:5433/cf", url: "postgresql://cf@db:5433/cf", password: "cf"),
        Case(
            written: "postgresql://cf:a%40b%3A@db,other/cf?sslmode=verify-full",
            url: "postgresql://cf@db,other/cf?sslmode=verify-full",
            password: "a@b:"
        ),
        Case(written: "postgresql://cf:5%@db/cf", url: "postgresql://cf@db/cf", password: "5%"),
        Case(written: "postgresql://cf:5%+1@db/cf", url: "postgresql://cf@db/cf", password: "5%+1"),
        Case(written: "postgresql://cf:p:w@db/cf", url: "postgresql://cf@db/cf", password: "p:w"),
        Case(written: "postgresql://cf@db:5433/cf", url: "postgresql://cf@db:5433/cf", password: nil),
        Case(written: "postgresql://db/c@f:g", url: "postgresql://db/c@f:g", password: nil),
        Case(written: "nonsense", url: "nonsense", password: nil),
    ]

    @Test(arguments: cases) func `has no password in its URL`(of: Case) {
        let option = StoreOption(argument: of.written)
        #expect(option.url == of.url)
        #expect(option.password == of.password)
    }

    /// What a command says that makes a home, and ends with this code; nothing of it stays.
    private static func refusal(_ options: String..., code: Int32 = 2) throws -> String {
        let root = try TemporaryFolder.current() + "/home"
        let command = try InitCommand.parse(["--home", root] + options)
        let error = try #require(throws: ConfigurationError.self) { try command.run() }
        #expect(!FileManager.default.fileExists(atPath: root))
        #expect(error.exitCode == code)
        #expect(!error.description.contains("\n"))
        return error.description
    }

    @Test(
        .temporaryFolder,
        arguments: [
            ("mysql://cf@db/cf", "begins with postgresql://"), ("postgresql://db/cf", "names no user"),
            ("postgresql://cf@db/", "names no database"),
            ("postgresql://cf:geheim@db/cf", "sslmode=verify-full"),
            ("postgresql://cf@localhost:0/cf", "wrong port"),
            ("postgresql://cf@127.0.0.1/cf?password=geheim", "holds a password"),
        ]
    )
    func `is not made where the URL is wrong, and no password is told`(
        url: String,
        says: String
    ) throws {
        let text = try Self.refusal("--store", url)
        #expect(text.contains(says), "\(text)")
        #expect(!text.contains("geheim"))
    }

    @Test(.temporaryFolder) func `is not made where nobody answers, which may pass`() throws {
        let text = try Self.refusal("--store", "postgresql://cf:geheim@127.0.0.1:1/cf", code: 75)
        #expect(text.contains("does not answer"), "\(text)")
        #expect(!text.contains("geheim"))
    }

    @Test(.temporaryFolder) func `is begun with though nobody answers, unless it is wrong`() throws {
        let home = try Home.initialised()
        let check = ConfigurationCheck(home: home, launcher: .standard(home))
        var store = Configuration.Store(url: "postgresql://cf@127.0.0.1:1/cf", group: "g")
        let silence = try #require(throws: ConfigurationError.self) {
            try check.checkLog(store, waits: false)
        }
        #expect(silence.exitCode == 75)
        try check.checkLog(store, waits: true)
        store.passwordFile = "none"
        let fault = try #require(throws: ConfigurationError.self) { try check.checkLog(store, waits: true) }
        #expect(fault.exitCode == 2)
    }

    /// What a program says that waits for so many looks, and for what comes then.
    private static func told(_ looks: Int, then end: Result<String?, any Error>) async throws -> [String?] {
        let (count, told) = (NIOLockedValueBox(1), NIOLockedValueBox<[String?]>([]))
        let wait = LogWait(
            after: "1",
            pause: .zero,
            silence: {
                let number = count.withLockedValue { count in
                    count += 1
                    return count
                }
                return number > looks ? try end.get() : "\(number)"
            },
            tell: { why in told.withLockedValue { $0.append(why) } }
        )
        do {
            try await wait.untilAnswer()
        } catch is ConfigurationError {
            told.withLockedValue { $0.append("wrong") }
        }
        return told.withLockedValue { $0 }
    }

    @Test func `is waited for by a program, which says so less and less often`() async throws {
        #expect(try await Self.told(20, then: .success(nil)) == ["1", "2", "4", "8", "16", nil])
        let wrong = ConfigurationError(file: "f", problem: "another group's")
        #expect(try await Self.told(3, then: .failure(wrong)) == ["1", "2", "wrong"])
    }

    @Test(.temporaryFolder) func `is not made with a password that others may read`() throws {
        let file = try TemporaryFolder.current() + "/password"
        #expect(FileManager.default.createFile(atPath: file, contents: Data("geheim\n".utf8)))
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
        let text = try Self.refusal("--store", "postgresql://cf@127.0.0.1:1/cf", "--password-file", file)
        #expect(text.contains("chmod 0600 \(file)"), "\(text)")
    }

    @Test(arguments: [
        ["--allow-single"], ["--password-file", "/f"],
        ["--store", "postgresql://cf:cf@db/cf", "--password-file", "/f"],
    ])
    func `is not asked for by halves, or with two passwords`(options: [String]) {
        #expect(throws: (any Error).self) { try InitCommand.parse(["--home", "/h"] + options) }
    }

    private static func configuration(_ store: String) throws -> Configuration {
        let key = #"{"id":"a","secret":"0123456789abcdef"}"#
        let app = #"{"bundleId":"com.example.game","keys":[\#(key)]}"#
        return try Configuration(json: #"{"store":{\#(store)},"apps":[\#(app)]}"#)
    }

    @Test func `says where the log is, whose it is, and where the password is`() throws {
        let place = #""url":"postgresql://cf@localhost/cf","group":"g1""#
        let written = place + #","passwordFile":"p","allowSingle":true"#
        let store = try #require(try Self.configuration(written).store)
        #expect(store.url == "postgresql://cf@localhost/cf")
        #expect(store.group == "g1")
        #expect(store.passwordFile == "p")
        #expect(store.allowSingle)
        let few = try #require(try Self.configuration(place).store)
        #expect(few.passwordFile == nil)
        #expect(!few.allowSingle)
    }

    @Test(arguments: [
        (#""url":"postgresql://cf:geheim@localhost/cf","group":"g""#, "store.url"),
        (#""url":"postgresql://cf@db/cf","group":"g""#, "store.url"),
        (#""url":"postgresql://cf@localhost/cf","group":"""#, "store.group"),
        (#""url":"postgresql://cf@localhost/cf""#, "store.group"),
        (#""url":"postgresql://cf@localhost/cf","group":"g","password":"geheim""#, "password"),
    ])
    func `is refused with the place of what is wrong, and without a password`(
        store: String,
        place: String
    ) throws {
        let error = try #require(throws: ConfigurationError.self) { try Self.configuration(store) }
        #expect(error.description.contains(place))
        #expect(!error.description.contains("geheim"))
    }

    @Test(.temporaryFolder) func `has stores that are copies: nobody backs them up or puts them back`()
        async throws
    {
        let home = try Home.initialised()
        var configuration = try Configuration(of: home)
        configuration.store = .init(url: "postgresql://cf@127.0.0.1:1/cf", group: "g")
        try home.encoded(configuration).write(to: URL(filePath: home.configurationFile))
        let folder = try TemporaryFolder.current() + "/backup"
        let backup = try BackupCommand.parse([folder, "--home", home.root])
        await #expect(throws: ConfigurationError.self) { try await backup.run() }
        let restore = try RestoreCommand.parse([folder, "--home", home.root])
        #expect(throws: ConfigurationError.self) { try restore.run() }
    }

    private static func text(_ sight: LogSight) -> String {
        let address = PartitionAddress(.orders, 0)
        var status = ScriptedGroup.status(of: address)
        status.logPosition = 40
        return StatusReport(
            answers: PartitionAnswers([address: .success(status)]),
            replicas: [],
            isTestHome: false,
            log: LogReport(sight)
        ).text
    }

    private static func sight(
        weakness: String? = nil,
        quarantines: [PartitionAddress: String] = [:],
        _ standbys: Standby...
    ) -> LogSight {
        let heads = [PartitionAddress(.orders, 0): Int64(42)]
        return LogSight(
            server: "db:5432",
            timeline: 3,
            weakness: weakness,
            standbys: standbys,
            heads: heads,
            quarantines: quarantines
        )
    }

    @Test func `shows the primary, its timeline and standby, and head, position and lag of each partition`() {
        let text = Self.text(Self.sight(.init(name: "standby", state: "sync", lagBytes: 0)))
        #expect(text.contains("commit log on db:5432, timeline 3, standby standby (sync, 0 bytes behind)"))
        #expect(!text.contains("ONE MACHINE"))
        #expect(text.contains("HEAD  POSITION  LAG"))
        #expect(text.split(separator: "\n").last?.split(separator: " ").suffix(3) == ["42", "40", "2"])
    }

    @Test func `says loudly that it is on one machine, that nobody follows, and that nobody knows`() {
        let single = Self.text(Self.sight(weakness: "fsync is off"))
        #expect(single.contains("NO STANDBY follows"))
        #expect(single.contains("\nONE MACHINE: what is acknowledged may be lost with it; fsync is off"))
        let report = StatusReport(
            answers: PartitionAnswers([:]),
            replicas: [],
            isTestHome: false,
            log: LogReport(problem: "PostgreSQL does not answer")
        )
        #expect(report.text.contains("THE COMMIT LOG cannot be used: PostgreSQL does not answer"))
    }

    @Test func `names each partition that an operator has to look at, and why`() {
        let reasons = [
            PartitionAddress(.receipts, 1): "an entry is lost",
            PartitionAddress(.orders, 0): "it is short",
        ]
        let standby = Standby(name: "standby", state: "sync", lagBytes: 0)
        let text = Self.text(Self.sight(quarantines: reasons, standby))
        let lines = "\nQUARANTINED /orders/0: it is short\nQUARANTINED /receipts/1: an entry is lost\n"
        #expect(text.contains(lines))
    }

    @Test func `tells this host's owners from those of another one by more than a path`() {
        let (here, there) = (HostMark("a"), HostMark("b"))
        #expect(here.text(of: .ipc(path: "/run/0.sock")) != there.text(of: .ipc(path: "/run/0.sock")))
        #expect(here.text(of: .tcp(host: "h", port: 1)) == there.text(of: .tcp(host: "h", port: 1)))
    }
}
