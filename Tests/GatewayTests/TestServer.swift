import Foundation
import HTTPTypes
import HummingbirdTesting
import Logging
import NIOCore
import Program
import ServiceLifecycle
import Testing

@testable import Gateway

/// Gateways with sockets of their own.
enum TestServer {
    /// A home of its own; removed with the test.
    final class TemporaryHome: Sendable {
        let home = Home(root: NSTemporaryDirectory() + "gateway-" + UUID().uuidString.prefix(8))

        init() throws { try home.makeFolders() }

        deinit {
            do { try FileManager.default.removeItem(atPath: home.root) } catch {
                Issue.record("the home stays: \(error)")
            }
        }
    }

    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// A server that listens in a home, on this machine unless said.
    static func make(
        _ gateway: TestGateway = TestGateway(),
        in home: TemporaryHome,
        host: String = "127.0.0.1",
        port: Int = 0,
        timer: DeadlineTimer = .onEventLoop,
        limits: ConnectionLimits = ConnectionLimits()
    ) async throws -> HTTPServer {
        try await HTTPServer(
            gateway.context.responder(),
            at: SharedAddress(ListenAddress(host: host, port: port), home: home.home),
            logger: logger,
            limits: limits,
            timer: timer
        )
    }

    /// Runs servers as a program does, and asks them to end after `body`.
    static func run(_ servers: [HTTPServer], _ body: (ServiceGroup) async throws -> Void) async throws {
        let group = ServiceGroup(configuration: .init(services: servers, logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            try await body(group)
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    /// Runs one server in a home of its own while `body` talks to its port.
    static func run(
        _ gateway: TestGateway = TestGateway(),
        timer: DeadlineTimer = .onEventLoop,
        limits: ConnectionLimits = ConnectionLimits(),
        _ body: (Int) async throws -> Void
    ) async throws {
        let home = try TemporaryHome()
        let server = try await make(gateway, in: home, timer: timer, limits: limits)
        try await run([server]) { _ in try await body(port(of: server)) }
    }

    /// Sends one request of a backend over a connection of its own.
    static func send(
        _ path: String,
        body: ByteBuffer? = nil,
        key: String? = TestGateway.key,
        to port: Int
    ) async throws -> TestClient.Response {
        try await TestClient.withClient(host: "127.0.0.1", port: port) { client in
            var headers: HTTPFields = [try #require(HTTPField.Name("Idempotency-Key")): "k"]
            headers[.authorization] = key.map { "Bearer \($0)" }
            guard let body else { return try await client.get(path, headers: headers) }
            return try await client.post(path, headers: headers, body: body)
        }
    }

    /// Where a server listens.
    static func port(of server: HTTPServer) throws -> Int {
        try #require(URLComponents(string: server.url)?.port)
    }
}
