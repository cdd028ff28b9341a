import Foundation
import Testing

@testable import Control
@testable import Program

@Suite(.temporaryFolder) struct `where up takes commands` {
    private let home: Home
    private let commands: CommandSocket

    init() throws {
        home = Home(root: try TemporaryFolder.current())
        try home.makeFolders()
        commands = try CommandSocket(home: home, holding: CommandSocket.lock(home))
    }

    /// Whether a command reaches the one that listens.
    private func isReached() throws -> Bool {
        guard let client = try UnixSocket.connect(to: home.upSocket) else { return false }
        return try withExtendedLifetime(client) { try UnixSocket.accept(from: commands.listener) != nil }
    }

    @Test func `what nobody touches stays as it is`() throws {
        let listener = commands.listener.number
        #expect(try commands.restore() && isReached())
        #expect(commands.listener.number == listener)
    }

    @Test(arguments: ["run/up.sock", "run/up.lock", "run"])
    func `what is removed comes back, and no other up can begin`(path: String) throws {
        try FileManager.default.removeItem(atPath: "\(home.root)/\(path)")
        #expect(try commands.restore() && isReached())
        #expect(throws: CommandFailure.self) { _ = try CommandSocket.lock(home) }
    }

    @Test func `another up that has the lock meanwhile keeps lock and socket`() throws {
        try FileManager.default.removeItem(atPath: home.upLock)
        let other = try CommandSocket(home: home, holding: CommandSocket.lock(home))
        #expect(try !commands.restore())
        commands.close()
        let client = try UnixSocket.connect(to: home.upSocket)
        #expect(try client != nil && UnixSocket.accept(from: other.listener) != nil)
        other.close()
        #expect(!FileManager.default.fileExists(atPath: home.upSocket))
    }
}
