import ArgumentParser
import Delivery
import Foundation
import Testing

@testable import Control
@testable import Program

/// What `counterfoil move` says before it writes anything into a log.
@Suite(.temporaryFolder) struct `a home that is to be moved into a log` {
    private static let nobody = "postgresql://cf@127.0.0.1:1/cf"

    /// Has been run, by its files.
    private static func home() throws -> Home {
        let home = try Home.initialised("--partitions", "1")
        let folder = "\(home.dataFolder)/orders"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        #expect(FileManager.default.createFile(atPath: "\(folder)/0.sqlite", contents: nil))
        return home
    }

    private static func refusal(
        of home: Home,
        _ options: String...,
        code: Int32 = 2
    ) throws -> ConfigurationError {
        let before = try Data(contentsOf: URL(filePath: home.configurationFile))
        let command = try MoveCommand.parse(["--home", home.root] + options)
        let error = try #require(throws: ConfigurationError.self) { try command.run() }
        #expect(try Data(contentsOf: URL(filePath: home.configurationFile)) == before)
        #expect(!FileManager.default.fileExists(atPath: home.path(InitCommand.passwordFile)))
        #expect(error.exitCode == code)
        #expect(!error.description.contains("\n"))
        return error
    }

    @Test(arguments: [
        ("mysql://cf@db/cf", "begins with postgresql://"),
        ("postgresql://cf:geheim@db/cf", "sslmode=verify-full"),
        ("postgresql://cf@127.0.0.1/cf?password=geheim", "holds a password"),
    ])
    func `stays as it is where the URL is wrong, and no password is told`(
        url: String,
        says: String
    ) throws {
        let text = try Self.refusal(of: Self.home(), "--to", url).description
        #expect(text.contains(says), "\(text)")
        #expect(!text.contains("geheim"))
    }

    @Test func `stays as it is where nobody answers, which may pass`() throws {
        let url = "postgresql://cf:geheim@127.0.0.1:1/cf"
        let text = try Self.refusal(of: Self.home(), "--to", url, code: 75).description
        #expect(text.contains("does not answer"), "\(text)")
        #expect(!text.contains("geheim"))
    }

    @Test func `is not one that never ran, or has a log already`() throws {
        let home = try Home.initialised()
        #expect(try Self.refusal(of: home, "--to", Self.nobody).description.contains("has no stores yet"))
        var configuration = try Configuration(of: home)
        configuration.store = .init(url: Self.nobody, group: "g")
        try home.encoded(configuration).write(to: URL(filePath: home.configurationFile))
        #expect(try Self.refusal(of: home, "--to", Self.nobody).description.contains("is there already"))
    }

    @Test func `keeps the password of the log that it has already`() throws {
        let home = try Self.home()
        var configuration = try Configuration(of: home)
        configuration.store = .init(url: Self.nobody, group: "g")
        configuration.store?.passwordFile = InitCommand.passwordFile
        try home.encoded(configuration).write(to: URL(filePath: home.configurationFile))
        let (file, password) = (URL(filePath: home.path(InitCommand.passwordFile)), Data("in use\n".utf8))
        try password.write(to: file)
        let options = ["--home", home.root, "--to", "postgresql://cf:other@127.0.0.1:1/cf"]
        let command = try MoveCommand.parse(options)
        let error = try #require(throws: ConfigurationError.self) { try command.run() }
        #expect(error.description.contains("is there already"))
        #expect(try Data(contentsOf: file) == password)
    }

    @Test func `does not run meanwhile`() throws {
        let home = try Self.home()
        try home.makeFolders()
        let lock = try HeldLocks([home.upLock], otherwise: "is held")
        try withExtendedLifetime(lock) {
            let text = try Self.refusal(of: home, "--to", Self.nobody).description
            #expect(text.contains("the group runs"), "\(text)")
        }
    }

    @Test func `is not moved with two passwords`() {
        let options = ["--home", "/h", "--to", "postgresql://cf:cf@db/cf", "--password-file", "/f"]
        #expect(throws: (any Error).self) { try MoveCommand.parse(options) }
    }
}
