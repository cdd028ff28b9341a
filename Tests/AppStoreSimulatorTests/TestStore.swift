import AppStore
import AppStoreSigning
import Contracts
import Foundation
import HTTPServing
import HTTPTypes
import Hummingbird
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import ServiceLifecycle
import TestKit

@testable import AppStoreSimulator

/// A simulator with a clock, chance and post of the test's, asked without sockets.
struct TestStore: Sendable {
    static let bundle = "com.example.game"
    /// 2026-11-01T12:00:00Z.
    static let start: Int64 = 1_793_534_400_000

    let folder: TestFolder
    let store: SimulatedStore
    let clock: TestClock
    /// Milliseconds that were waited for.
    let pauses = NIOLockedValueBox<[Int64]>([])
    let post = TestPost()
    /// Sends a request's method, path, header and body.
    private(set) var exchange:
        @Sendable (HTTPRequest.Method, String, HTTPFields, ByteBuffer?) async throws -> HTTPReply
    /// Where it listens, while it does.
    private(set) var port: Int?

    init(
        folder: String? = nil,
        catalog: String? = nil,
        clock: TestClock = TestClock(),
        seed: UInt64 = 7
    ) async throws {
        let folder = try folder ?? Self.newFolder()
        self.folder = TestFolder(path: folder)
        self.clock = clock
        if let catalog {
            try Data(catalog.utf8).write(to: URL(fileURLWithPath: folder + "/catalog.json"))
        }
        let random = NIOLockedValueBox(SeededRandom(seed: seed))
        store = try SimulatedStore(
            folder: folder,
            catalog: catalog == nil ? nil : CatalogFile(path: folder + "/catalog.json"),
            chance: Chance { random.withLockedValue { $0.next() } },
            now: { clock.now },
            pause: { [pauses] milliseconds in pauses.withLockedValue { $0.append(milliseconds) } }
        )
        let responder = SimulatorRouter.router(for: store).buildResponder()
        exchange = { try await responder.reply(to: $0, $1, headers: $2, body: $3) }
    }

    /// A folder with a signing chain in it; it is the same for all tests, as RSA keys take long to make.
    private static func newFolder() throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "appstore-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try chain.get().write(to: URL(fileURLWithPath: folder + "/signing-chain.json"))
        return folder
    }

    private static let chain = Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "appstore-\(UUID())").path
        _ = try AppStoreSigner(stateFolder: folder)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder + "/signing-chain.json"))
        try FileManager.default.removeItem(atPath: folder)
        return bytes
    }

    /// What trusts this store's root and no other.
    var roots: [[UInt8]] { [store.signers.genuine.rootDER] }

    /// The transaction behind a signature, which the product's own verifier accepts.
    func verified(_ jws: String) throws -> SignedTransaction {
        try TransactionVerifier(extraRoots: roots).verify(jws, now: clock.now)
    }

    /// The notification behind a signature, which the product's own verifier accepts in every part.
    func verified(notification payload: String) throws -> VerifiedServerNotification {
        try ServerNotificationVerifier(extraRoots: roots).verify(payload, now: clock.now)
    }

    /// The first notification of an answer.
    func told(_ answer: Answer) throws -> VerifiedServerNotification {
        try verified(notification: answer.text("notifications", "0", "signedPayload"))
    }

    /// The first transaction of an answer.
    func sold(_ answer: Answer) throws -> SignedTransaction {
        try verified(answer.text("transactions", "0", "signedTransaction"))
    }

    /// The status of the only subscription of an account.
    func subscriptionStatus(_ id: String) async throws -> JSONValue? {
        try await api(.get, "v1/subscriptions/\(id)")["data", "0", "lastTransactions", "0", "status"]
    }

    var sender: ServerNotificationSender {
        ServerNotificationSender(
            queue: store.notifications,
            now: store.now,
            pause: store.pause,
            post: post.send
        )
    }

    /// Runs requests over real connections.
    func live(_ body: @Sendable (TestStore) async throws -> Void) async throws {
        let bound = NIOLockedValueBox<Int?>(nil)
        let application = Application(
            router: SimulatorRouter.router(for: store),
            server: .http1Connections,
            configuration: .init(address: .hostname("localhost", port: 0)),
            onServerRunning: { channel in bound.withLockedValue { $0 = channel.localAddress?.port } }
        )
        let group = ServiceGroup(configuration: .init(services: [application], logger: application.logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            let port = try await eventually("the store listens") { bound.withLockedValue { $0 } }
            try await body(listening(on: port))
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    private func listening(on port: Int) throws -> TestStore {
        let connections = try HTTPConnections(to: "http://localhost:\(port)")
        var store = self
        store.port = port
        store.exchange = { method, path, headers, body in
            try await connections.send(
                HTTPMethod(rawValue: method.rawValue),
                path,
                headers: headers.map { ($0.name.rawName, $0.value) },
                body: body
            )
        }
        return store
    }
}

/// A folder that is removed with the last store that uses it.
final class TestFolder: Sendable {
    let path: String

    init(path: String) { self.path = path }

    deinit {
        do { try FileManager.default.removeItem(atPath: path) } catch { print("left behind: \(path)") }
    }
}

/// A clock that goes when it is told to.
final class TestClock: Sendable {
    private let milliseconds = NIOLockedValueBox(TestStore.start)

    var now: Timestamp { Timestamp(milliseconds: milliseconds.withLockedValue { $0 }) }

    func advance(hours: Double) { advance(milliseconds: Int64(hours * 3_600_000)) }

    func advance(days: Int) { advance(milliseconds: Int64(days) * 86_400_000) }

    func advance(milliseconds by: Int64) { milliseconds.withLockedValue { $0 += by } }
}

/// An app's server: it notes what it is sent and answers what the test wants.
final class TestPost: Sendable {
    private struct State {
        var bodies: [String] = []
        var answer = SendAttempt.Result.success
    }

    private let state = NIOLockedValueBox(State())

    /// The signed payloads that came.
    var payloads: [String] {
        state.withLockedValue(\.bodies).map { String($0.dropFirst(18).dropLast(2)) }
    }

    func answer(_ result: SendAttempt.Result) { state.withLockedValue { $0.answer = result } }

    @Sendable func send(_ url: String, _ body: String) async -> SendAttempt.Result {
        state.withLockedValue { state in
            state.bodies.append(body)
            return state.answer
        }
    }
}
