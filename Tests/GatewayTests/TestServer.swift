import Foundation
import Logging
import NIOCore
import NIOHTTP1
import Program
import ServiceLifecycle
import TestKit
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

    /// So long an answer may take on a busy machine.
    static let patience = TimeAmount.seconds(240)

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

    /// Runs servers as a program does, and asks them to end after `body`, which gets the port of the first.
    static func run<Value>(
        _ servers: [HTTPServer],
        _ body: (Int, ServiceGroup) async throws -> Value
    ) async throws -> Value {
        let group = ServiceGroup(configuration: .init(services: servers, logger: logger))
        let port = try #require(URLComponents(string: servers[0].url)?.port)
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            let value = try await body(port, group)
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return value
        }
    }

    /// Runs one server in a home of its own while `body` talks to its port.
    static func run<Value>(
        _ gateway: TestGateway = TestGateway(),
        timer: DeadlineTimer = .onEventLoop,
        limits: ConnectionLimits = ConnectionLimits(),
        _ body: (Int) async throws -> Value
    ) async throws -> Value {
        let home = try TemporaryHome()
        let server = try await make(gateway, in: home, timer: timer, limits: limits)
        return try await run([server]) { port, _ in try await body(port) }
    }

    /// Sends one request of a backend over a connection of its own.
    static func send(
        _ path: String,
        body: ByteBuffer? = nil,
        key: String? = TestGateway.key,
        to port: Int,
        at host: String = "127.0.0.1"
    ) async throws -> TestGateway.Response {
        let authorization = key.map { [("Authorization", "Bearer \($0)")] } ?? []
        let reply = try await HTTPConnections(to: "http://\(host):\(port)").send(
            body == nil ? .GET : .POST,
            path,
            headers: [("Idempotency-Key", "k")] + authorization,
            body: body,
            within: patience
        )
        return TestGateway.Response(reply)
    }
}
