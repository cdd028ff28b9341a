import Contracts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Logging
import NIOCore
import NIOPosix
import Program
import ServiceLifecycle
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(5))) struct `The server` {
    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// A home of its own; removed with the test.
    private final class TemporaryHome: Sendable {
        let home = Home(root: NSTemporaryDirectory() + "gateway-" + UUID().uuidString.prefix(8))

        init() throws { try home.makeFolders() }

        deinit {
            do { try FileManager.default.removeItem(atPath: home.root) } catch {
                Issue.record("the home stays: \(error)")
            }
        }
    }

    private static func server(
        _ home: Home,
        port: Int = 0,
        _ gateway: TestGateway = TestGateway()
    ) async throws -> HTTPServer {
        try await HTTPServer(
            gateway.edge.responder(),
            seat: ListenSeat(ListenAddress(host: "127.0.0.1", port: port), home: home),
            eventLoops: .singletonMultiThreadedEventLoopGroup,
            logger: logger
        )
    }

    /// Runs servers as a program does, and asks them to end after `body`.
    private static func run(_ servers: [HTTPServer], _ body: (ServiceGroup) async throws -> Void) async throws
    {
        let group = ServiceGroup(configuration: .init(services: servers, logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            try await body(group)
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    private static func port(_ server: HTTPServer) throws -> Int {
        try #require(URLComponents(string: server.url)?.port)
    }

    private static func get(_ path: String, port: Int) async throws -> TestClient.Response {
        try await TestClient.withClient(host: "127.0.0.1", port: port) { client in
            try await client.get(path, headers: [.authorization: "Bearer \(TestGateway.key)"])
        }
    }

    @Test func `port 0 becomes a free one, and the home says which`() async throws {
        let home = try TemporaryHome()
        let server = try await Self.server(home.home)
        try await Self.run([server]) { _ in
            let port = try Self.port(server)
            #expect(port > 0)
            let written = try String(contentsOfFile: home.home.gatewayAddressFile, encoding: .utf8)
            #expect(written == "http://127.0.0.1:\(port)\n")
            let response = try await Self.get("/v1/buyers/b1/entitlements", port: port)
            #expect(response.status == .ok)
            #expect(response.headers[.date]?.hasSuffix(" GMT") == true)
        }
    }

    @Test func `replicas of one home share its port, and each answers`() async throws {
        let home = try TemporaryHome()
        let gateways = [TestGateway(), TestGateway()]
        let first = try await Self.server(home.home, gateways[0])
        let second = try await Self.server(home.home, gateways[1])
        #expect(first.url == second.url)
        try await Self.run([first, second]) { _ in
            let port = try Self.port(first)
            while gateways.contains(where: { $0.caller.calls.isEmpty }) {
                #expect(try await Self.get("/v1/buyers/b1/ledger", port: port).status == .ok)
            }
        }
    }

    @Test func `replicas that start at the same moment share one port, too`() async throws {
        let home = try TemporaryHome()
        let servers = try await withThrowingTaskGroup(of: HTTPServer.self) { group in
            for _ in 0..<4 { group.addTask { try await Self.server(home.home) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(servers.map(\.url)).count == 1)
        try await Self.run(servers) { _ in }
    }

    @Test func `after a restart a home has the port it had`() async throws {
        let home = try TemporaryHome()
        let first = try await Self.server(home.home)
        let url = first.url
        try await Self.run([first]) { _ in _ = try await Self.get("/livez", port: try Self.port(first)) }
        let second = try await Self.server(home.home)
        #expect(second.url == url)
        try await Self.run([second]) { _ in }
    }

    @Test func `two homes never share a port`() async throws {
        let (home, other) = (try TemporaryHome(), try TemporaryHome())
        let server = try await Self.server(home.home)
        try await Self.run([server]) { _ in
            let port = try Self.port(server)
            await #expect(throws: ListenSeat.Fault.inUse(ListenAddress(host: "127.0.0.1", port: port))) {
                _ = try await Self.server(other.home, port: port)
            }
        }
    }

    @Test func `an address of another machine is a fault of the configuration`() async throws {
        let home = try TemporaryHome()
        let seat = ListenSeat(ListenAddress(host: "192.0.2.1", port: 0), home: home.home)
        await #expect(throws: ConfigurationError.self) {
            _ = try await HTTPServer(
                TestGateway().edge.responder(),
                seat: seat,
                eventLoops: .singletonMultiThreadedEventLoopGroup,
                logger: Self.logger
            )
        }
    }

    @Test func `a polite end answers waits with what is known, and keeps no connection`() async throws {
        let home = try TemporaryHome()
        let (arrivals, arrived) = AsyncStream<Void>.makeStream()
        let gateway = TestGateway { request, partition throws(PartitionFault) in
            guard let wait = request as? VerdictWaitV1, wait.wait > 0 else {
                if request is VerdictWaitV1 { return FakeCaller.verdict(.parked) }
                return try await FakeCaller.happily(request, partition)
            }
            arrived.yield()
            for await _ in AsyncStream<Void>.makeStream().stream {}
            throw .unanswered
        }
        let server = try await Self.server(home.home, gateway)
        try await Self.run([server]) { group in
            let port = try Self.port(server)
            async let response = TestClient.withClient(host: "127.0.0.1", port: port) { client in
                try await client.post(
                    "/v1/receipts?wait=30000",
                    headers: [.authorization: "Bearer \(TestGateway.key)"],
                    body: ByteBuffer(
                        string: #"{"bundleId":"com.example.game","buyerId":"b1","signedTransaction":"x"}"#
                    )
                )
            }
            for await _ in arrivals.prefix(1) {}
            await group.triggerGracefulShutdown()
            let answer = try await response
            #expect(answer.status == .ok)
            #expect(answer.body.map { String(buffer: $0).contains("parked") } == true)
        }
    }

    @Test func `a body that is too large is refused while it comes`() async throws {
        let home = try TemporaryHome()
        let server = try await Self.server(home.home)
        try await Self.run([server]) { _ in
            let port = try Self.port(server)
            let response = try await TestClient.withClient(host: "127.0.0.1", port: port) { client in
                try await client.post(
                    "/v1/orders",
                    headers: [
                        .authorization: "Bearer \(TestGateway.key)",
                        try #require(HTTPField.Name("Idempotency-Key")): "k",
                    ],
                    body: ByteBuffer(repeating: UInt8(ascii: "x"), count: 1 << 20)
                )
            }
            #expect(response.status == .contentTooLarge)
        }
    }

    @Test(arguments: [(0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT")])
    func `dates are written as RFC 9110 has them`(_ second: Int, _ text: String) {
        #expect(HTTPDate.text(of: second) == text)
    }
}
