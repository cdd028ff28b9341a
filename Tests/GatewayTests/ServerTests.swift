import Contracts
import Foundation
import HTTPTypes
import NIOCore
import Program
import ServiceLifecycle
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(5))) struct `The server` {
    @Test func `port 0 becomes a free one, and the home says which`() async throws {
        let home = try TestServer.TemporaryHome()
        let server = try await TestServer.make(in: home)
        try await TestServer.run([server]) { port, _ in
            #expect(port > 0)
            let written = try String(contentsOfFile: home.home.gatewayAddressFile, encoding: .utf8)
            #expect(written == "http://127.0.0.1:\(port)\n")
            let response = try await TestServer.send("/v1/buyers/b1/entitlements", to: port)
            #expect(response.status == 200)
            #expect(response.headers[.date]?.hasSuffix(" GMT") == true)
        }
    }

    @Test func `replicas of one home share its port, and each answers`() async throws {
        let home = try TestServer.TemporaryHome()
        let gateways = [TestGateway(), TestGateway()]
        let first = try await TestServer.make(gateways[0], in: home)
        let second = try await TestServer.make(gateways[1], in: home)
        #expect(first.url == second.url)
        try await TestServer.run([first, second]) { port, _ async throws in
            while gateways.contains(where: { $0.caller.calls.isEmpty }) {
                #expect(try await TestServer.send("/v1/buyers/b1/ledger", to: port).status == 200)
            }
        }
    }

    @Test func `replicas that start at the same moment share one port, too`() async throws {
        let home = try TestServer.TemporaryHome()
        let servers = try await withThrowingTaskGroup(of: HTTPServer.self) { group in
            for _ in 0..<4 { group.addTask { try await TestServer.make(in: home) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(servers.map(\.url)).count == 1)
        try await TestServer.run(servers) { _, _ in }
    }

    @Test func `after a restart a home has the port it had`() async throws {
        let home = try TestServer.TemporaryHome()
        // Connections that go out have another address of this machine: none of them takes the port meanwhile.
        let host = "127.0.0.3"
        let first = try await TestServer.make(in: home, host: host)
        let url = first.url
        try await TestServer.run([first]) { port, _ in
            _ = try await TestServer.send("/livez", to: port, at: host)
        }
        let second = try await TestServer.make(in: home, host: host)
        #expect(second.url == url)
        try await TestServer.run([second]) { _, _ in }
    }

    @Test func `two homes never share a port`() async throws {
        let (home, other) = (try TestServer.TemporaryHome(), try TestServer.TemporaryHome())
        let server = try await TestServer.make(in: home)
        try await TestServer.run([server]) { port, _ -> Void in
            await #expect(throws: SharedAddress.Fault.inUse(ListenAddress(host: "127.0.0.1", port: port))) {
                _ = try await TestServer.make(in: other, port: port)
            }
        }
    }

    @Test func `an address of another machine is a fault of the configuration`() async throws {
        let home = try TestServer.TemporaryHome()
        await #expect(throws: ConfigurationError.self) {
            _ = try await TestServer.make(in: home, host: "192.0.2.1")
        }
    }

    @Test func `a polite end answers waits with what is known, and keeps no connection`() async throws {
        let home = try TestServer.TemporaryHome()
        let (arrivals, arrived) = AsyncStream<Void>.makeStream()
        let gateway = TestGateway { request, _ throws(Problem) in
            guard let wait = request as? VerdictWaitV1 else { return nil }
            guard wait.wait > 0 else { return FakeCaller.verdict(.parked) }
            arrived.yield()
            for await _ in AsyncStream<Void>.makeStream().stream {}
            throw .unanswered
        }
        let server = try await TestServer.make(gateway, in: home)
        try await TestServer.run([server]) { port, group in
            let body = ByteBuffer(string: TestGateway.receipt)
            async let response = TestServer.send("/v1/receipts?wait=30000", body: body, to: port)
            for await _ in arrivals.prefix(1) {}
            await group.triggerGracefulShutdown()
            let last = try await response
            #expect(last.status == 200)
            #expect(last.text.contains("parked"))
        }
    }

    @Test func `a body that is too large is refused while it comes`() async throws {
        try await TestServer.run { port in
            let body = ByteBuffer(repeating: UInt8(ascii: "x"), count: 1 << 20)
            let response = try await TestServer.send("/v1/orders", body: body, to: port)
            #expect(response.status == 413)
        }
    }

    @Test(arguments: [(0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT")])
    func `dates are written as RFC 9110 has them`(_ second: Int, _ text: String) {
        #expect(HTTPDate.text(of: second) == text)
    }
}
