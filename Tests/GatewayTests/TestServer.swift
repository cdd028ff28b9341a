import Foundation
import Logging
import NIOCore
import NIOPosix
import Program
import ServiceLifecycle
import Testing

@testable import Gateway

/// A gateway with a socket of its own, in a home of its own that is removed afterwards.
enum TestServer {
    /// Runs the server while `body` talks to its port.
    static func run(
        _ gateway: TestGateway,
        alarm: ConnectionAlarm = .onEventLoop,
        connectionAlarm: ConnectionAlarm = .onEventLoop,
        limits: ConnectionLimits = ConnectionLimits(),
        _ body: (Int) async throws -> Void
    ) async throws {
        let home = Home(root: NSTemporaryDirectory() + "gateway-" + UUID().uuidString.prefix(8))
        try home.makeFolders()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let server = try await HTTPServer(
            gateway.edge.responder(),
            seat: ListenSeat(ListenAddress(host: "127.0.0.1", port: 0), home: home),
            eventLoops: .singletonMultiThreadedEventLoopGroup,
            logger: logger,
            limits: limits,
            alarm: alarm,
            connectionAlarm: connectionAlarm
        )
        let port = try #require(URLComponents(string: server.url)?.port)
        let group = ServiceGroup(configuration: .init(services: [server], logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            try await body(port)
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
        try FileManager.default.removeItem(atPath: home.root)
    }
}
