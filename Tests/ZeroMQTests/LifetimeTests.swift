import Foundation
import Testing
import ZeroMQ

@Suite(.timeLimit(.minutes(5)))
struct LifetimeTests {
    let harness: Harness
    var loop: SocketLoop { harness.loop }

    init() throws { harness = try Harness() }

    @Test
    func `a dealer finds the next owner of the path by itself, each time`() async throws {
        let dealer = try harness.dealer()
        for round in UInt8(0)..<10 {
            let (owner, arrivals) = try harness.router()
            try await dealer.connections.next()
            loop.send([[round]], on: dealer.socket)
            #expect(try await arrivals.next().frames == [[round]])
            loop.close(owner)
        }
    }

    @Test
    func `the end of a former owner does not take the path from the next one`() async throws {
        for _ in 0..<50 {
            let former = try harness.echo()
            loop.close(former)
            let owner = try harness.echo()
            let dealer = try await harness.connectedDealer()
            loop.send([[1]], on: dealer.socket)
            _ = try await dealer.arrivals.next()
            loop.close(dealer.socket)
            loop.close(owner)
            #expect(FileManager.default.fileExists(atPath: harness.path()))
        }
    }

    @Test
    func `a stale file is no obstacle`() async throws {
        try Data("left behind".utf8).write(to: URL(filePath: harness.path()))
        try harness.echo()
        _ = try await harness.connectedDealer()
    }

    @Test
    func `nothing is delivered after a close`() async throws {
        let (router, arrivals) = try harness.router()
        let dealer = try await harness.connectedDealer()
        loop.close(router)
        loop.send((0..<100).map { Outbound(socket: dealer.socket, frames: [[$0]]) })
        let (_, later) = try harness.router()
        try await dealer.connections.next()
        loop.send([[200]], on: dealer.socket)
        #expect(try await later.next().frames == [[200]])
        arrivals.add(contentsOf: [Inbound(socket: router, frames: [[255]])])
        #expect(try await arrivals.next().frames == [[255]])
    }

    @Test
    func `shutting down amid traffic ends, and later calls are harmless`() async throws {
        for _ in 0..<20 {
            let harness = try Harness()
            try harness.echo()
            let dealer = try await harness.connectedDealer()
            let message = Outbound(socket: dealer.socket, frames: [Frame(repeating: 7, count: 1_000)])
            harness.loop.send(Array(repeating: message, count: 5_000))
            harness.loop.shutdown()
            harness.loop.shutdown()
            harness.loop.send([[1]], on: dealer.socket)
            harness.loop.close(dealer.socket)
            #expect(throws: ZeroMQError.stopped) { try harness.echo() }
        }
    }

    @Test
    func `a path that the kernel does not take is refused in so many words`() throws {
        let path = "/" + String(repeating: "x", count: 107)
        let expected = ZeroMQError.pathTooLong(path, bytes: 108)
        let long = Endpoint.ipc(path: path)
        #expect(throws: expected) { try loop.bind(at: long, maximumMessageBytes: 1) { _ in } }
        #expect(throws: expected) { try loop.connect(to: long, maximumMessageBytes: 1) { _ in } }
        #expect(expected.description.contains("108 bytes"))
        #expect(expected.description.contains("107"))
        #expect(throws: ZeroMQError.pathNotAbsolute("a.sock")) {
            try loop.bind(at: .ipc(path: "a.sock"), maximumMessageBytes: 1) { _ in }
        }
    }

    @Test
    func `a folder that is not there is named in the error`() throws {
        let path = harness.path("missing/a")
        do {
            _ = try loop.bind(at: .ipc(path: path), maximumMessageBytes: 1) { _ in }
            Issue.record("bound at \(path)")
        } catch {
            #expect(error == .callFailed("bind \(path)", code: ENOENT))
            #expect(error.description == "bind \(path): No such file or directory")
        }
    }

    @Test
    func `what is performed runs on the I/O thread, which may send and close`() async throws {
        let loop = loop
        let (router, arrivals) = try harness.router()
        let dealer = try await harness.connectedDealer()
        loop.perform { loop.send([[1]], on: dealer.socket) }
        _ = try await arrivals.next()
        loop.perform { loop.close(router) }
        _ = try harness.router()
        try await dealer.connections.next()
    }
}
