import Contracts
import TestKit
import Testing
import ZeroMQ

@testable import Delivery

/// Partitions of two hosts on `tcp://`, each with its own key; both hosts are addresses of this machine.
@Suite(.timeLimit(.minutes(5))) struct WireHostTests {
    private static let patience: Int64 = 120_000
    private static let (first, second) = ("127.0.0.1", "127.0.0.2")
    private static let orders = PartitionAddress(.orders, 0)
    private static let entitlements = PartitionAddress(.entitlements, 0)
    private static let receipts = PartitionAddress(.receipts, 0)

    private let folder: HostFolder
    private let ports: FixedPorts
    private let pairs: [String: CurveKeyPair]

    init() throws {
        folder = try HostFolder(services: [.orders, .entitlements, .receipts])
        let base = try #require(FreePorts.base(count: ServiceName.allCases.count))
        ports = try #require(FixedPorts(base: base, partitions: 1))
        pairs = [Self.first: try .make(), Self.second: try .make()]
    }

    /// What a host knows: its own pair, or another one, and the keys of all.
    private func keys(of host: String, own: CurveKeyPair? = nil) throws -> WireKeys {
        let pair = try #require(own ?? pairs[host])
        return WireKeys(own: pair, hosts: pairs.mapValues { [$0.publicKey] })
    }

    /// Where a host looks for partitions: all but Orders are the second's.
    private func endpoints(of host: String) -> HostEndpoints {
        HostEndpoints(address: host, listening: host, ports: ports) { [ports] partition in
            let owner = partition.service == .orders ? Self.first : Self.second
            return .tcp(host: owner, port: ports.port(of: partition))
        }
    }

    private func host(_ service: some PartitionedService, on host: String) throws -> PartitionHost {
        try folder.host(service, endpoints: endpoints(of: host), keys: keys(of: host))
    }

    /// Runs hosts while `body` asks, with the sockets of a program of the first host.
    @discardableResult
    private func running<Value: Sendable>(
        _ hosts: [PartitionHost],
        own: CurveKeyPair? = nil,
        endpoints other: (any Endpoints)? = nil,
        _ body: (RequestClient) async throws -> Value
    ) async throws -> Value {
        let sockets = try SocketLoop(name: "wire", keys: keys(of: Self.first, own: own))
        defer { sockets.shutdown() }
        let endpoints = other ?? endpoints(of: Self.first)
        let client = RequestClient(sockets: sockets, source: "/test", endpoints: endpoints)
        return try await withThrowingTaskGroup { group in
            for host in hosts { group.addTask { try await host.run() } }
            defer { for host in hosts { host.stop() } }
            return try await body(client)
        }
    }

    @Test func `two hosts talk with their keys, by requests and by a link`() async throws {
        let hosts = try [
            host(NoteService<SendingRole>(), on: Self.first),
            host(NoteService<ReceivingRole>(), on: Self.second),
        ]
        let texts = (0..<100).map(String.init)
        let notes = try await running(hosts) { client in
            let say = SayV1(to: .entitlements, texts: texts)
            _ = try await client.ask(say, of: Self.orders, within: Self.patience)
            return try await client.ask(NotesV1(atLeast: 100), of: Self.entitlements, within: Self.patience)
        }
        #expect(notes.texts == texts)
    }

    @Test func `a stranger's request comes to nobody`() async throws {
        let hosts = try [host(NoteService<SendingRole>(), on: Self.first)]
        try await running(hosts, own: .make()) { client in
            await #expect(throws: RequestClient.Fault.timedOut) {
                try await client.ask(PartitionStatusV1(), of: Self.orders, within: 2_000)
            }
            try await eventually("the stranger is counted", within: .seconds(240)) {
                hosts[0].settings.sockets.strangers > 0
            }
        }
    }

    @Test func `at a stale address another partition takes nothing, and the right one is asked later`()
        async throws
    {
        let hosts = try [
            host(NoteService<LoopingRole>(), on: Self.second),
            host(NoteService<ReceivingRole>(), on: Self.second),
        ]
        let endpoints = MovingEndpoints(endpoints(of: Self.first))
        endpoints.move(Self.entitlements, to: Self.receipts)
        try await running(hosts, endpoints: endpoints) { client in
            await #expect(throws: RequestClient.Fault.timedOut) {
                try await client.ask(NotesV1(atLeast: 0), of: Self.entitlements, within: 1_000)
            }
            let dead = try await client.ask(DeadLettersListV1(), of: Self.receipts, within: Self.patience)
            #expect(dead.isEmpty)
            endpoints.move(Self.entitlements, to: Self.entitlements)
            let ask = NotesV1(atLeast: 0)
            let notes = try await client.ask(ask, of: Self.entitlements, within: Self.patience)
            #expect(notes.texts.isEmpty)
        }
    }
}
