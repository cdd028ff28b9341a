import ArgumentParser
import Contracts
import Foundation
import HTTPClient
import NIOConcurrencyHelpers
import Program
import TestKit
import Testing

@testable import Control

@Suite struct `listening to webhooks` {
    private static let secret = "a-secret-of-16-bytes"

    private let group = ScriptedGroup()

    private static func webhook(_ position: Int64) -> WebhooksPage.Webhook {
        WebhooksPage.Webhook(
            position: position,
            bundleId: .game,
            id: EventID(unchecked: "e\(position)"),
            type: EntitlementChangedV1.type,
            body: #"{"specversion":"1.0","id":"e1","data":{"name":"Käthe"}}"#,
            traceparent: nil
        )
    }

    /// What is forwarded in some rounds, each after something was done.
    private func forwarded(
        isFromOldest: Bool = false,
        _ rounds: () async -> Void...
    ) async throws -> (ids: [String], warnings: [String]) {
        let (ids, warnings) = (NIOLockedValueBox<[String]>([]), NIOLockedValueBox<[String]>([]))
        var listener = WebhookListener(group: group) { webhook in
            ids.withLockedValue { $0.append(webhook.id.rawValue) }
        }
        listener.warn = { warning in warnings.withLockedValue { $0.append(warning) } }
        try await listener.begin(isFromOldest: isFromOldest)
        for act in rounds {
            await act()
            try await listener.round()
        }
        return (ids.withLockedValue { $0 }, warnings.withLockedValue { $0 })
    }

    @Test func `begins with what is written from now on, and forwards it once and in order`() async throws {
        let address = PartitionAddress(.notifications, 3)
        await group.write([Self.webhook(1)], at: address)
        let found = try await forwarded(
            { await group.write((2...6).map(Self.webhook), at: address) },
            { await group.write([Self.webhook(7)], at: address) },
            {}
        )
        #expect(found.ids == ["e2", "e3", "e4", "e5", "e6", "e7"])
        let first = await group.questions(WebhooksListenV1.self).prefix(group.partitions)
        #expect(first.allSatisfy { $0.after == nil }, "every partition keeps copies before any is read")
    }

    @Test func `begins with the oldest that is kept if it is told to`() async throws {
        await group.write([Self.webhook(41), Self.webhook(42)], at: PartitionAddress(.notifications, 0))
        #expect(try await forwarded(isFromOldest: true, {}).ids == ["e41", "e42"])
    }

    @Test func `goes on where a partition that was silent left off, and says so once`() async throws {
        let address = PartitionAddress(.notifications, 0)
        let found = try await forwarded(
            { await group.silence { $0 is WebhooksListenV1 } },
            {},
            {
                await group.silence { _ in false }
                await group.write([Self.webhook(1)], at: address)
            }
        )
        #expect(found.ids == ["e1"])
        #expect(found.warnings.count == 2 * group.partitions, "silent, and answers again")
    }

    @Test func `does not begin while a partition does not answer`() async throws {
        await group.silence { _ in true }
        await #expect(throws: CommandFailure.self) { try await forwarded({}) }
    }

    @Test func `signs as webhooks are signed, and tells what the target answers`() async throws {
        let calls = NIOLockedValueBox<[HTTPCall]>([])
        var forwarder = try Self.forwarder()
        forwarder.send = { call async throws(HTTPFailure) in
            calls.withLockedValue { $0.append(call) }
            return HTTPAnswer(status: 503, body: [])
        }
        let outcome = await forwarder.forward(Self.webhook(1))
        #expect(outcome.status == 503 && outcome.problem == nil)
        #expect(outcome.text == "503  counterfoil.entitlement.changed.v1  e1  com.example.game")
        let call = try #require(calls.withLockedValue { $0 }.first)
        #expect(call.method == "POST" && call.url == "http://localhost:3000/hooks")
        #expect(call.content == Array(outcome.body.utf8))
        let headers = Dictionary(uniqueKeysWithValues: call.headers.map { ($0.name, $0.value) })
        // The same message as in the tests of Notifications, where other implementations have signed it.
        let digest = "04488214bec76119a676b501b51cee5eba16b1602e01fb29aa6b9a580cd5f37e"
        #expect(headers["Counterfoil-Signature"] == "v1=" + digest)
        #expect(headers["webhook-signature"] == "v1,EJobUf1JLdaQ9VHA+Wmx+pdxtR9N9eUHfmJjpI4rpPM=")
        #expect(headers["webhook-id"] == "e1" && headers["webhook-timestamp"] == "1760000001")
    }

    @Test func `signs with the former secret as well, as the app's own server is sent it`() throws {
        var app = Self.app
        app.webhook = .init(
            url: "https://game.example.com/hooks",
            secret: Self.secret,
            formerSecret: "the-former-secret"
        )
        let secrets = try WebhookSecrets(of: Home(root: "/nowhere/\(UUID())"), apps: [app])
        #expect(secrets.secrets(of: .game) == [Self.secret, "the-former-secret"])
        #expect(secrets.known.map(\.secret) == [Self.secret])
    }

    @Test func `tells why there is no answer`() async throws {
        var forwarder = try Self.forwarder()
        forwarder.send = { _ async throws(HTTPFailure) in throw .notConnected }
        let outcome = await forwarder.forward(Self.webhook(1))
        #expect(outcome.status == nil && outcome.problem == "no answer (notConnected)")
    }

    private static func forwarder() throws -> WebhookForwarder {
        let home = Home(root: "/nowhere/\(UUID())")
        var app = Configuration.App(bundleId: .game, keys: [])
        app.webhook = Configuration.Webhook(url: "https://game.example.com/hooks", secret: secret)
        return WebhookForwarder(
            target: try ForwardTarget("http://localhost:3000/hooks"),
            secrets: try WebhookSecrets(of: home, apps: [app]),
            now: { 1_760_000_001 }
        )
    }

    @Test(arguments: [
        "https://game.example.com/hooks", "http://10.0.0.1/", "http://localhost.example.com/",
        "localhost:3000", "ftp://localhost/", "http://user@localhost/", "http://127.0.0.1.example.com/",
        "/hooks", "",
    ])
    func `forwards to no other machine`(url: String) {
        #expect(throws: ValidationError.self) { try ForwardTarget(url) }
        #expect(throws: (any Error).self) { try ListenCommand.parse(["--forward-to", url]) }
    }

    @Test(arguments: [
        "http://localhost:3000/hooks", "http://127.0.0.9/", "http://[::1]:8080/", "https://localhost/",
    ])
    func `forwards to this machine`(url: String) throws {
        #expect(try ForwardTarget(url).url == url)
    }

    private static let app = Configuration.App(
        bundleId: .game,
        keys: [.init(id: "key1", secret: HomeInitializer.newSecret())]
    )

    private static func testHome() throws -> Home {
        let home = Home(root: try TemporaryFolder.current() + "/home")
        try HomeInitializer(home: home, isTest: true).make(Configuration(apps: [app]))
        return home
    }

    @Test(.temporaryFolder)
    func `makes a secret once for apps without a webhook, in a file that is its owner's alone`() throws {
        let (home, app) = (try Self.testHome(), Self.app)
        #expect(try WebhookSecrets(of: home, apps: [app]).known.isEmpty)
        let made = try WebhookSecrets.made(of: home, apps: [app])
        let secret = try #require(made.secret(of: .game))
        #expect(secret.count == 64 && made.isShared(by: .game))
        #expect(try WebhookSecrets.made(of: home, apps: [app]).secret(of: .game) == secret)
        #expect(try WebhookSecrets(of: home, apps: [app]).known.map(\.secret) == [secret])
        let attributes = try FileManager.default.attributesOfItem(atPath: home.listenSecretFile)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }

    @Test(.temporaryFolder)
    func `has one secret where two begin at once, and leaves nothing else`() throws {
        let (home, app) = (try Self.testHome(), Self.app)
        let before = try FileManager.default.contentsOfDirectory(atPath: home.root)
        var first: WebhookSecrets?
        let second = try WebhookSecrets.made(of: home, apps: [app]) {
            first = try WebhookSecrets.made(of: home, apps: [app])
        }
        let secret = try #require(first?.secret(of: .game))
        #expect(second.secret(of: .game) == secret)
        #expect(try WebhookSecrets(of: home, apps: [app]).secret(of: .game) == secret)
        let made = Set(try FileManager.default.contentsOfDirectory(atPath: home.root)).subtracting(before)
        #expect(made == ["listen.secret"])
    }

    @Test(.temporaryFolder)
    func `says what is wrong with a file that holds no secret`() throws {
        let home = try Self.testHome()
        try DurableFile.write(Data(), to: home.listenSecretFile)
        #expect(throws: CommandFailure.self) { try WebhookSecrets.made(of: home, apps: [Self.app]) }
    }
}
