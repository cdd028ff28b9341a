import ArgumentParser
import Contracts
import Foundation
import Testing
import ZeroMQ

@testable import Control
@testable import Program

@Suite(.temporaryFolder) struct `a further host of a group` {
    private let first: Home
    private let second: Home

    init() throws {
        first = try .initialised("--wire", "127.0.0.1:7400")
        second = Home(root: try TemporaryFolder.current() + "/second")
    }

    private func keepCommits() throws {
        var configuration = try Configuration(writtenIn: first)
        configuration.store = .init(url: "postgresql://counterfoil@127.0.0.1:1/counterfoil", group: "g")
        try first.encoded(configuration).write(to: URL(filePath: first.configurationFile))
    }

    private func refusal(address: String = "127.0.0.2", code: Int32 = 2) throws -> ConfigurationError {
        let command = try JoinCommand.parse([
            "--home", second.root, "--from", first.root, "--address", address,
        ])
        let error = try #require(throws: ConfigurationError.self) { try command.run() }
        #expect(error.exitCode == code)
        #expect(!FileManager.default.fileExists(atPath: second.root), "nothing of it stays")
        return error
    }

    @Test func `is not made where the group has no log, or no wire`() throws {
        #expect(try refusal().member == "store")
        try keepCommits()
        var configuration = try Configuration(writtenIn: first)
        configuration.wire = nil
        try first.encoded(configuration).write(to: URL(filePath: first.configurationFile))
        #expect(try refusal().member == "wire")
    }

    @Test func `is not made at another host's address`() throws {
        try keepCommits()
        #expect(try refusal(address: "127.0.0.1").description.contains("names 127.0.0.1 already"))
    }

    @Test func `is not made where the log does not answer, which may pass`() throws {
        try keepCommits()
        #expect(try refusal(code: 75).description.contains("does not answer"))
    }

    @Test func `is not made twice at once`() throws {
        try keepCommits()
        try second.makeFolders()
        let lock = try HeldLocks([second.upLock], otherwise: "is held")
        try withExtendedLifetime(lock) {
            let command = try JoinCommand.parse([
                "--home", second.root, "--from", first.root, "--address", "127.0.0.2",
            ])
            let error = try #require(throws: ConfigurationError.self) { try command.run() }
            #expect(error.file == second.upLock && error.exitCode == 2)
        }
        #expect(!FileManager.default.fileExists(atPath: second.hostKeysFile))
    }

    @Test func `names the mark of a home for tests that was not copied`() throws {
        try keepCommits()
        var configuration = try Configuration(writtenIn: first)
        configuration.extraRoots = ["roots/root.der"]
        try first.encoded(configuration).write(to: URL(filePath: first.configurationFile))
        let error = try refusal()
        #expect(error.file == first.root + "/test-home")
        #expect(error.problem.contains("extraRoots is of a group for tests; copy the file test-home, too"))
    }

    @Test func `takes all files that the configuration names, and no other host's keys`() throws {
        var configuration = try Configuration(writtenIn: first)
        configuration.store = .init(url: "postgresql://counterfoil@127.0.0.1/counterfoil", group: "g")
        configuration.store?.passwordFile = "postgresql.password"
        configuration.extraRoots = ["roots/root.der"]
        let files = configuration.allFiles.map(\.file)
        #expect(Set(files) == ["postgresql.password", "roots/root.der"])
        #expect(!files.contains(Home.hostKeysName))
    }

    @Test func `gives no files of a home that has no log`() throws {
        let command = try StoreCommand.Export.parse(["--home", first.root, second.root])
        let error = try #require(throws: ConfigurationError.self) { try command.run() }
        #expect(error.member == "store")
        #expect(!FileManager.default.fileExists(atPath: second.root))
    }
}
