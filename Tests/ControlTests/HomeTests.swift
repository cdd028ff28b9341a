import ArgumentParser
import Contracts
import Delivery
import Domain
import Foundation
import Testing

@testable import Control
@testable import Program

@Suite struct `a home` {
    private static let app = Configuration.App(
        bundleId: BundleID(unchecked: "com.example.game"),
        keys: [.init(id: "key1", secret: HomeInitializer.newSecret())]
    )

    @Test func `the option goes before the environment, and that before the default`() {
        let environment = ["COUNTERFOIL_HOME": "/env", "HOME": "/users/me"]
        #expect(Home.resolve(option: "/option/", environment: environment).root == "/option")
        #expect(Home.resolve(option: nil, environment: environment).root == "/env")
        let plain = Home.resolve(option: nil, environment: ["HOME": "/users/me"])
        #expect(plain.root == "/users/me/.counterfoil/default")
    }

    @Test func `its paths are those of the design`() {
        let home = Home(root: "/h")
        let orders3 = PartitionAddress(.orders, 3)
        #expect(home.endpoints.path(of: orders3) == "/h/run/orders/3.sock")
        #expect(home.store(of: orders3) == "/h/data/orders/3.sqlite")
        #expect(home.memberFolder(of: .receipts) == "/h/run/members/receipts")
        #expect(home.log(of: "gateway", replica: 0) == "/h/log/gateway.0.log")
    }

    @Test func `a socket's path of 107 bytes is accepted and one of 108 refused, and named`() throws {
        let ending = "/run/notifications/3.sock"
        let fits = Home(root: "/" + String(repeating: "x", count: 107 - 1 - ending.utf8.count))
        #expect(throws: Never.self) { try fits.checkSocketPaths(partitions: 4) }
        let long = Home(root: fits.root + "x")
        let error = try #require(throws: ConfigurationError.self) { try long.checkSocketPaths(partitions: 4) }
        #expect(error.description.contains(long.root + ending))
        #expect(error.description.contains("shorter path"))
    }

    @Test(.temporaryFolder) func `what init makes can be read, is its owner's alone, and is not overwritten`()
        throws
    {
        let home = Home(root: try TemporaryFolder.current() + "/home")
        let app = Self.app
        try HomeInitializer(home: home, isTest: false).make(Configuration(apps: [app]))
        #expect(try Configuration(of: home).apps == [app])
        let catalog = try Catalog(file: home.catalogFile)
        #expect(catalog.products.map(\.productId.rawValue) == ["coins.120", "pro.lifetime"])
        #expect(try Catalog(loadedIn: home) == catalog)
        #expect(try Self.mode(home.loadedCatalogFile) == 0o600)
        #expect(!home.isTest)
        #expect(try Self.mode(home.configurationFile) == 0o600)
        #expect(try Self.mode(home.runFolder) == 0o700)
        let before = FileManager.default.contents(atPath: home.configurationFile)
        #expect(throws: ConfigurationError.self) {
            try HomeInitializer(home: home, isTest: true).make(Configuration(apps: [app]))
        }
        #expect(FileManager.default.contents(atPath: home.configurationFile) == before)
        #expect(!home.isTest)
    }

    @Test(.temporaryFolder) func `a test home of an App Store simulator has a key for it, its owner's alone`()
        throws
    {
        let home = try Home.initialised("--test", "--app-store", "http://127.0.0.1:8090")
        #expect(home.isTest)
        let configuration = try Configuration(of: home)
        #expect(configuration.appStore == "http://127.0.0.1:8090")
        let app = try #require(configuration.apps.first)
        #expect(app.verifyReceipt == Configuration.VerifyReceipt())
        let server = try #require(app.appStoreServer)
        #expect(server.privateKey == "AuthKey_\(server.keyId).p8")
        let file = home.path(server.privateKey)
        #expect(try Self.mode(file) == 0o600)
        let pem = try String(contentsOfFile: file, encoding: .utf8)
        #expect(pem.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
    }

    @Test(.temporaryFolder) func `a home of its own says nothing of Apple, and takes no App Store simulator`()
        throws
    {
        let home = try Home.initialised()
        let configuration = try Configuration(of: home)
        #expect(configuration.appStore == nil)
        #expect(configuration.apps.allSatisfy { $0.appStoreServer == nil && $0.verifyReceipt == nil })
        #expect(throws: (any Error).self) {
            try InitCommand.parse(["--home", home.root + "2", "--app-store", "http://127.0.0.1:8090"])
        }
    }

    @Test(.temporaryFolder) func `a home that was refused leaves no key behind`() throws {
        let root = try TemporaryFolder.current() + "/home"
        let command = try InitCommand.parse(["--test", "--home", root, "--app-store", "nowhere"])
        #expect(throws: ConfigurationError.self) { try command.run() }
        #expect(!FileManager.default.fileExists(atPath: root))
    }

    @Test(.temporaryFolder) func `a home that another process is making is left alone, with its keys`()
        throws
    {
        let home = Home(root: try TemporaryFolder.current() + "/home")
        try home.makeFolders()
        let lock = try HeldLocks([home.upLock], otherwise: "is held")
        try Data("of the other one".utf8).write(to: URL(filePath: home.hostKeysFile))
        let files = { try Set(FileManager.default.subpathsOfDirectory(atPath: home.root)) }
        let before = try files()
        let command = try InitCommand.parse(["--home", home.root, "--wire", "127.0.0.1:7400"])
        try withExtendedLifetime(lock) {
            let error = try #require(throws: ConfigurationError.self) { try command.run() }
            #expect(error.file == home.upLock)
            #expect(error.problem.contains("another `counterfoil init` or `join` is making this home"))
            #expect(try files() == before)
            #expect(FileManager.default.contents(atPath: home.hostKeysFile) == Data("of the other one".utf8))
        }
    }

    @Test(.temporaryFolder) func `a home that was given up is made by the next one, and its lock is free`()
        throws
    {
        let home = Home(root: try TemporaryFolder.current() + "/home")
        let initializer = HomeInitializer(home: home, isTest: false)
        let configuration = Configuration(apps: [Self.app])
        struct Refused: Error {}
        #expect(throws: Refused.self) {
            try initializer.make(configuration) {
                // Refused, because the lock is held to the end.
                do { _ = try HeldLocks([home.upLock], otherwise: "is held") } catch is ConfigurationError {
                    throw Refused()
                }
            }
        }
        #expect(!FileManager.default.fileExists(atPath: home.root))
        try initializer.make(configuration)
        #expect(throws: Never.self) { try HeldLocks([home.upLock], otherwise: "is held") }
    }

    @Test(.temporaryFolder) func `a home that cannot be written leaves nothing of it, and what was there`()
        throws
    {
        let folder = try TemporaryFolder.current()
        let root = folder + "/above/home"
        // The name of a folder of the home is taken by a file, so that it fails half way.
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        try Data([1]).write(to: URL(filePath: root + "/roots"))
        let certificate = folder + "/root.der"
        try Data([1, 2, 3]).write(to: URL(filePath: certificate))
        let command = try InitCommand.parse(["--test", "--home", root, "--extra-root", certificate])
        #expect(throws: (any Error).self) { try command.run() }
        let above = try FileManager.default.subpathsOfDirectory(atPath: folder + "/above")
        #expect(above == ["home", "home/roots"])
        let missing = try InitCommand.parse([
            "--test", "--home", folder + "/new", "--extra-root", folder + "/none",
        ])
        #expect(throws: ConfigurationError.self) { try missing.run() }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(files == ["above", "root.der"])
    }

    private static func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
}

extension Home {
    /// What `counterfoil init` makes in the folder of the test.
    static func initialised(_ options: String...) throws -> Home {
        let home = Home(root: try TemporaryFolder.current() + "/home")
        try InitCommand.parse(["--home", home.root] + options).run()
        return home
    }
}

/// A folder for one test, or for each of a suite, removed afterwards.
struct TemporaryFolder: TestTrait, SuiteTrait, TestScoping {
    @TaskLocal private static var path: String?

    let isRecursive = true

    static func current() throws -> String { try #require(path) }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cf-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try await Self.$path.withValue(folder.path(percentEncoded: false)) { try await function() }
        try FileManager.default.removeItem(at: folder)
    }
}

extension Trait where Self == TemporaryFolder {
    static var temporaryFolder: Self { TemporaryFolder() }
}
