import Contracts
import Database
import TestKit
import Testing

@testable import Delivery

/// A service of notes that reads large requests ahead, which takes as long as a test wants.
private struct SlowReader: BareService {
    static let name = ServiceName.orders
    static let schema = NoteService<SendingRole>.schema
    static let readsAhead = true

    private let notes = NoteService<SendingRole>()
    let gate: Gate

    func readAhead(_ request: [UInt8]) { gate.pass() }
    func register(in table: inout HandlerTable) { notes.register(in: &table) }
}

@Suite(.timeLimit(.minutes(5))) struct `a request that takes long to read` {
    private static let address = PartitionAddress(.orders, 0)
    private static let patience: Int64 = 120_000

    private func large(_ bytes: Int) -> SayV1 {
        SayV1(to: .entitlements, texts: [], ballast: String(repeating: "x", count: bytes))
    }

    private func with(_ body: (RequestClient, PartitionHost, Gate) async throws -> Void) async throws {
        let folder = try HostFolder()
        let gate = Gate()
        let host = try folder.host(SlowReader(gate: gate))
        // Nothing is repeated, however late the answer is: a repeat would be read, or refused, too.
        let client = folder.client(firstRepeat: 600_000)
        try await running([host]) {
            defer { gate.open() }
            _ = try await client.ask(PartitionStatusV1(), of: Self.address, within: Self.patience)
            try await body(client, host, gate)
        }
    }

    @Test func `holds up neither another request nor the heartbeat, and is answered in its turn`()
        async throws
    {
        try await with { client, host, gate in
            async let slow = client.ask(large(100_000), of: Self.address, within: Self.patience)
            await gate.nextArrival()
            let quick = SayV1(to: .entitlements, texts: [])
            let said = try await client.ask(quick, of: Self.address, within: Self.patience)
            #expect(said == Said(count: 0))
            await withCheckedContinuation { answered in host.heartbeat { answered.resume() } }
            gate.open()
            let answer = try await slow
            #expect(answer == Said(count: 0))
            #expect(gate.visitors == 1)
        }
    }

    @Test func `is refused as busy where it finds no room, and those that found room are answered`()
        async throws
    {
        try await with { client, _, gate in
            let huge = large(3 << 20)
            let answers = await withTaskGroup(of: Bool?.self) { group in
                for _ in 0..<Inbox.hugeBoundBytes / (3 << 20) + 2 {
                    group.addTask {
                        do {
                            _ = try await client.ask(huge, of: Self.address, within: Self.patience)
                            return true
                        } catch let refusal as RequestRefusal {
                            // Those that were refused are, before any that was taken is answered.
                            if refusal.code == .busy { gate.open() }
                            return refusal.code == .busy ? false : nil
                        } catch {
                            return nil
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.count { $0 == false } >= 1)
            #expect(answers.count { $0 == true } >= Inbox.hugeBoundBytes / (3 << 20) - 1)
            #expect(!answers.contains(nil))
        }
    }
}
