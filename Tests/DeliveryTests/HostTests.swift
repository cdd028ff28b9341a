import Contracts
import Database
import Foundation
import TestKit
import Testing

@testable import Delivery

@Suite(.timeLimit(.minutes(5))) struct HostTests {
    private typealias Orders = NoteService<SendingRole>
    private typealias Entitlements = NoteService<ReceivingRole>

    private static let patience: Int64 = 120_000

    /// Asks partition 0 of a service.
    private func ask<Question: RequestContract>(
        _ question: Question,
        of service: ServiceName,
        _ client: RequestClient
    ) async throws -> Question.Reply {
        try await client.ask(question, of: PartitionAddress(service, 0), within: Self.patience)
    }

    private func status(_ client: RequestClient, _ partition: Int = 0) async throws -> PartitionStatus {
        let address = PartitionAddress(.orders, partition)
        return try await client.ask(PartitionStatusV1(), of: address, within: Self.patience)
    }

    /// Asks all partitions for their owners until `isMet`.
    private func owners(
        _ client: RequestClient,
        partitions: Int,
        until isMet: ([Int]) -> Bool
    ) async throws -> [Int] {
        while true {
            var owners: [Int] = []
            for partition in 0..<partitions {
                owners.append(try await status(client, partition).replica)
            }
            if isMet(owners) { return owners }
        }
    }

    @Test func `a question that was asked before anyone listened is answered by the first owner`()
        async throws
    {
        let folder = try HostFolder()
        let client = folder.client()
        let address = PartitionAddress(.orders, 0)
        let host = try folder.host(Orders())
        async let early = client.ask(NotesV1(atLeast: 0), of: address, within: Self.patience)
        await #expect(throws: RequestClient.Fault.timedOut) {
            try await client.ask(NotesV1(atLeast: 0), of: address, within: 30)
        }
        async let run: Void = host.run()
        do {
            #expect(try await early == Notes(texts: []))
        } catch {
            host.stop()
            throw error
        }
        host.stop()
        try await run
    }

    @Test func `two services talk over real sockets, and one who waits is told`() async throws {
        let folder = try HostFolder()
        let client = folder.client()
        let texts = (0..<500).map(String.init)
        let notes = try await running([folder.host(Orders()), folder.host(Entitlements())]) {
            async let waiting = ask(NotesV1(atLeast: 500), of: .entitlements, client)
            let say = SayV1(to: .entitlements, texts: texts)
            let said = try await client.ask(say, of: PartitionAddress(.orders, 0), within: Self.patience)
            #expect(said.count >= 500)
            return try await waiting
        }
        #expect(Array(notes.texts.prefix(500)) == texts)
    }

    @Test func `at a stale address nothing is taken or lost, and what waits goes on when it is right`()
        async throws
    {
        let folder = try HostFolder(services: [.orders, .entitlements, .receipts])
        let endpoints = MovingEndpoints(folder.endpoints)
        let (target, stranger) = (PartitionAddress(.entitlements, 0), PartitionAddress(.receipts, 0))
        endpoints.move(target, to: stranger)
        let (client, strayed) = (folder.client(), folder.client(endpoints: endpoints))
        let hosts = try [
            folder.host(Orders(), endpoints: endpoints), folder.host(Entitlements()),
            folder.host(NoteService<LoopingRole>()),
        ]
        let notes = try await running(hosts) {
            _ = try await ask(SayV1(to: .entitlements, texts: ["1", "2"]), of: .orders, client)
            await #expect(throws: RequestClient.Fault.timedOut) {
                try await strayed.ask(NotesV1(atLeast: 0), of: target, within: 1_000)
            }
            for service in [ServiceName.entitlements, .receipts] {
                #expect(try await ask(NotesV1(atLeast: 0), of: service, client).texts.isEmpty)
                #expect(try await ask(DeadLettersListV1(), of: service, client).isEmpty)
            }
            endpoints.move(target, to: target)
            return try await ask(NotesV1(atLeast: 2), of: .entitlements, strayed)
        }
        #expect(notes.texts == ["1", "2"])
    }

    @Test(arguments: [false, true])
    func `a socket's file that is removed or replaced comes back: who connects later reaches the partition`(
        isReplaced: Bool
    ) async throws {
        let folder = try HostFolder()
        let before = folder.client()
        let notes = try await running([folder.host(Orders()), folder.host(Entitlements())]) {
            let epoch = try await status(before).epoch
            for service in [ServiceName.orders, .entitlements] {
                _ = try await ask(PartitionStatusV1(), of: service, before)
                let path = folder.endpoints.path(of: PartitionAddress(service, 0))
                try FileManager.default.removeItem(atPath: path)
                if isReplaced { try Data().write(to: URL(filePath: path)) }
            }
            // Nobody but `before` is connected: the link is made when this is said.
            let later = folder.client()
            _ = try await ask(SayV1(to: .entitlements, texts: ["1"]), of: .orders, later)
            #expect(try await status(later).epoch == epoch, "the owner is the same")
            #expect(try await status(before).epoch == epoch)
            return try await ask(NotesV1(atLeast: 1), of: .entitlements, later)
        }
        // A client repeats a request when it is connected, and each time is said.
        #expect(Set(notes.texts) == ["1"])
    }

    @Test func `what a stopped owner has committed is carried on by the next one`() async throws {
        let folder = try HostFolder()
        let client = folder.client()
        let first = try await running([folder.host(Orders())]) {
            _ = try await ask(SayV1(to: .entitlements, texts: ["1"]), of: .orders, client)
            return try await status(client).epoch
        }
        let hosts = [try folder.host(Orders()), try folder.host(Entitlements())]
        let (second, notes) = try await running(hosts) {
            let notes = try await ask(NotesV1(atLeast: 1), of: .entitlements, client)
            return (try await status(client).epoch, notes)
        }
        #expect(second == first + 1)
        #expect(Set(notes.texts) == ["1"])
    }

    @Test func `replicas share the partitions by rank, and one takes over when another stops`() async throws {
        let folder = try HostFolder()
        let client = folder.client()
        let first = try folder.host(Orders(), replica: 3, partitions: 5)
        let second = try folder.host(Orders(), replica: 7, partitions: 5)
        try await withThrowingTaskGroup { group in
            // The group waits for its tasks, also when a question fails.
            defer { [first, second].forEach { $0.stop() } }
            group.addTask { try await first.run() }
            _ = try await owners(client, partitions: 5) { $0 == [3, 3, 3, 3, 3] }
            #expect(first.owned == [0, 1, 2, 3, 4])
            group.addTask { try await second.run() }
            _ = try await owners(client, partitions: 5) { $0 == [3, 3, 3, 7, 7] }
            #expect((first.owned, second.owned) == ([0, 1, 2], [3, 4]))
            first.stop()
            _ = try await owners(client, partitions: 5) { $0 == [7, 7, 7, 7, 7] }
            #expect(first.owned.isEmpty)
            let epochs = try await status(client, 0).epoch
            #expect(epochs == 2)
            second.stop()
            try await group.waitForAll()
        }
        #expect(second.owned.isEmpty)
    }

    @Test func `two processes cannot be the same replica`() async throws {
        let folder = try HostFolder()
        let client = folder.client()
        try await running([folder.host(Orders())]) {
            _ = try await status(client)
            let twin = try folder.host(Orders())
            let fault = await #expect(throws: PartitionHost.Fault.self) { try await twin.run() }
            #expect(fault?.description.contains("give --replica another number") == true)
            #expect(twin.owned.isEmpty)
        }
    }

    @Test func `a replica whose lock is removed takes it again, so that it stays the only one`() async throws
    {
        let folder = try HostFolder()
        let client = folder.client()
        try await running([folder.host(Orders())]) {
            _ = try await status(client)
            let lock = folder.url.appending(path: "members/orders/0.lock").path()
            try FileManager.default.removeItem(atPath: lock)
            try await eventually("the lock is held again", within: .seconds(240)) {
                guard FileManager.default.fileExists(atPath: lock) else { return false }
                switch try FileLock.attempt(path: lock, shared: true) {
                case .some: return false
                case nil: return true
                }
            }
            let twin = try folder.host(Orders())
            await #expect(throws: PartitionHost.Fault.self) { try await twin.run() }
            #expect(try await status(client).replica == 0)
        }
    }

    @Test func `a heartbeat comes back after a round through every store`() async throws {
        let folder = try HostFolder()
        let host = try folder.host(Orders(), partitions: 3)
        let client = folder.client()
        try await running([host]) {
            _ = try await owners(client, partitions: 3) { $0 == [0, 0, 0] }
            await withCheckedContinuation { answered in host.heartbeat { answered.resume() } }
        }
        await withCheckedContinuation { answered in host.heartbeat { answered.resume() } }
    }

    @Test func `a heartbeat comes back while a partition is being taken, however long that takes`()
        async throws
    {
        let folder = try HostFolder()
        let gate = Gate()
        let host = try folder.host(GatedService(gate: gate))
        try await running([host]) {
            await gate.nextArrival()
            #expect(host.owned == [0])
            // Nothing opens the gate before: an answer that waits for the partition never comes.
            await withCheckedContinuation { answered in host.heartbeat { answered.resume() } }
            gate.open()
            _ = try await status(folder.client())
        }
    }

    @Test func `outside work is done and its result travels on`() async throws {
        #expect(try await told(by: Orders(worker: JobWorker())) == ["a", "b", "c", "d", "e"])
    }

    @Test func `turns of timers are taken and what they send travels on`() async throws {
        #expect(try await told(by: Orders(timers: [JobTimer()])) == ["a", "b", "c", "d", "e"])
    }

    /// What Entitlements hears of five jobs.
    private func told(by orders: Orders) async throws -> Set<String> {
        let folder = try HostFolder()
        let client = folder.client()
        let hosts = [try folder.host(orders), try folder.host(Entitlements())]
        let notes = try await running(hosts) {
            let keys = ["a", "b", "c", "d", "e"]
            _ = try await ask(WorkV1(keys: keys), of: .orders, client)
            return try await ask(NotesV1(atLeast: 5), of: .entitlements, client)
        }
        return Set(notes.texts)
    }
}

/// Runs hosts around `body` and ends them politely.
func running<Value: Sendable>(
    _ hosts: [PartitionHost],
    _ body: () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup { group in
        for host in hosts { group.addTask { try await host.run() } }
        do {
            let value = try await body()
            for host in hosts { host.stop() }
            try await group.waitForAll()
            return value
        } catch {
            for host in hosts { host.stop() }
            throw error
        }
    }
}

/// A service whose partition stops at the gate while it is being taken.
private struct GatedService: BareService {
    static let name = ServiceName.orders
    static let schema = Schema("gated", [])

    let gate: Gate

    func register(in table: inout HandlerTable) { gate.pass() }
}
