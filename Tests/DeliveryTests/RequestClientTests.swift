import Contracts
import Foundation
import TestKit
import Testing
import ZeroMQ

@testable import Delivery

@Suite(.timeLimit(.minutes(5))) struct RequestClientTests {
    private static let address = PartitionAddress(.orders, 0)
    /// One that a client looks for at `address`.
    private static let moved = PartitionAddress(.entitlements, 0)
    /// So long an answer may take on a busy machine, ms.
    private static let patience: Int64 = 120_000

    /// A partition's end of the wire that answers as a test says.
    private func serve(
        _ folder: HostFolder,
        at address: PartitionAddress = RequestClientTests.address,
        _ answer: @escaping @Sendable (WireMessage) -> WireMessage?
    ) throws {
        let sockets = folder.sockets
        let endpoint = folder.endpoints.endpoint(of: address)
        _ = try sockets.bind(at: endpoint, maximumMessageBytes: 1 << 20) { messages in
            for message in messages {
                let coder = WireCoder()
                guard let asked = coder.decode(message.frames), let reply = answer(asked) else { continue }
                sockets.send(coder.encode(reply), on: message.socket, to: message.peer)
            }
        }
    }

    /// A partition's end of the wire that says to every request that it did so many.
    private func serve(
        _ folder: HostFolder,
        at address: PartitionAddress = RequestClientTests.address,
        count: Int
    ) throws {
        try serve(folder, at: address) { asked in
            let body = Array("{\"count\":\(count)}".utf8)
            return asked.header.request.map { WireMessage(WireHeader(reply: .init(id: $0.id)), body: [body]) }
        }
    }

    /// The answer of a partition that is not the one asked for.
    private static func astray(_ asked: WireMessage) -> WireMessage? {
        asked.header.request.map { WireMessage(WireHeader(reply: .init(id: $0.id, isAstray: true))) }
    }

    /// What a client sends to a partition that gives no answer, until so many repeats have come.
    ///
    /// A repeat is what is sent so many ms or more after the question.
    private func messages(
        to partition: PartitionAddress = RequestClientTests.address,
        from client: RequestClient,
        in folder: HostFolder,
        untilRepeat count: Int,
        after pause: Int64,
        answer: @escaping @Sendable (WireMessage) -> WireMessage? = { _ in nil }
    ) async throws -> (all: [WireMessage], repeats: [Int64]) {
        let (asked, seen) = AsyncStream<WireMessage>.makeStream()
        try serve(folder) { message in
            seen.yield(message)
            return answer(message)
        }
        return await withThrowingTaskGroup { group in
            group.addTask {
                _ = try await client.ask(SayV1(to: .orders, texts: []), of: partition, within: Self.patience)
            }
            defer { group.cancelAll() }
            var (all, repeats): ([WireMessage], [Int64]) = ([], [])
            for await message in asked {
                all.append(message)
                let left = message.header.request?.within ?? 0
                guard left <= Self.patience - pause else { continue }
                repeats.append(left)
                if repeats.count == count { break }
            }
            return (all, repeats)
        }
    }

    @Test func `an answer comes back to the one who asked`() async throws {
        let folder = try HostFolder()
        let (events, seen) = AsyncStream<WireMessage>.makeStream()
        try serve(folder) { asked in
            seen.yield(asked)
            return asked.header.request.map {
                WireMessage(WireHeader(reply: .init(id: $0.id)), body: [Array(#"{"count":7}"#.utf8)])
            }
        }
        let question = SayV1(to: .entitlements, texts: ["1"])
        let client = folder.client()
        let said = try await client.ask(question, of: Self.address, subject: "ada", within: Self.patience)
        #expect(said == Said(count: 7))
        let asked = try #require(await events.first { _ in true })
        #expect((1...Self.patience).contains(asked.header.request?.within ?? 0))
        let event = try JSONDecoder().decode(JSONValue.self, from: Data(asked.body[0]))
        guard case .object(let members) = event else { return #expect(Bool(false), "\(event)") }
        #expect(members["type"] == .string("test.say.v1"))
        #expect(members["subject"] == .string("ada"))
        #expect(members["source"] == .string("/test"))
    }

    @Test func `a refusal is thrown, and nonsense is called so`() async throws {
        let folder = try HostFolder()
        let refusal = RequestRefusal(.conflict, "another content", field: "quantity")
        try serve(folder) { asked in
            guard let request = asked.header.request else { return nil }
            let isFirst = String(decoding: asked.body[0], as: UTF8.self).contains("first")
            return isFirst
                ? WireMessage(WireHeader(reply: .init(id: request.id, refused: refusal)))
                : WireMessage(WireHeader(reply: .init(id: request.id)), body: [Array("{}".utf8)])
        }
        let client = folder.client()
        await #expect(throws: refusal) {
            let first = SayV1(to: .orders, texts: ["first"])
            return try await client.ask(first, of: Self.address, within: Self.patience)
        }
        let fault = await #expect(throws: RequestClient.Fault.self) {
            let second = SayV1(to: .orders, texts: ["second"])
            return try await client.ask(second, of: Self.address, within: Self.patience)
        }
        guard case .badReply? = fault else { return #expect(Bool(false), "\(fault as Any)") }
    }

    @Test func `a question that was lost is asked again with what is left of its time`() async throws {
        let folder = try HostFolder()
        let client = folder.client(firstRepeat: 250)
        let (all, repeats) = try await messages(from: client, in: folder, untilRepeat: 3, after: 250)
        #expect(Set(all.compactMap(\.header.request?.id)).count == 1)
        #expect(Set(all.map(\.body)).count == 1, "the same event each time")
        // What is sent when the connection is made may be among them on a busy machine, and pass another one.
        try #require(repeats.count == 3)
        #expect(repeats[2] < repeats[0])
    }

    @Test func `one who is slow is not asked again for 2 s, but one who is new at once`() async throws {
        #expect(RequestClient.firstRepeatMilliseconds == 2_000)
        let folder = try HostFolder()
        let (all, _) = try await messages(from: folder.client(), in: folder, untilRepeat: 1, after: 2_000)
        #expect(all.count <= 3, "at once, once more when connected, and after 2 s")
    }

    @Test func `at a stale address it is asked again soon, and then less and less often`() async throws {
        let folder = try HostFolder()
        let endpoints = MovingEndpoints(folder.endpoints)
        endpoints.move(Self.moved, to: Self.address)
        let (strays, repeats) = try await messages(
            to: Self.moved,
            from: folder.client(endpoints: endpoints),
            in: folder,
            untilRepeat: 4,
            after: 200,
            answer: Self.astray
        )
        #expect(strays.allSatisfy { $0.header.request?.to == Self.moved })
        // The first may come once more when connected. On a busy machine all are later, and none is earlier.
        try #require(repeats.count == 4)
        let time = repeats[0] - repeats[3]
        #expect(time >= 1_400, "after 250, 750, 1,750 and 3,750 ms: \(repeats) ms were left")
    }

    @Test func `at a stale address it is asked again before long, and then where it is`() async throws {
        let folder = try HostFolder()
        let endpoints = MovingEndpoints(folder.endpoints)
        endpoints.move(Self.moved, to: Self.address)
        try serve(folder) { message in
            endpoints.move(Self.moved, to: Self.moved)
            return Self.astray(message)
        }
        try serve(folder, at: Self.moved, count: 3)
        // Its usual repeat would come too late.
        let client = folder.client(firstRepeat: 600_000, endpoints: endpoints)
        let question = SayV1(to: .orders, texts: [])
        #expect(try await client.ask(question, of: Self.moved, within: Self.patience) == Said(count: 3))
    }

    @Test func `who has moved is asked at the new place by the first request already`() async throws {
        let folder = try HostFolder()
        let endpoints = MovingEndpoints(folder.endpoints)
        endpoints.move(Self.moved, to: Self.address)
        try serve(folder, count: 1)
        try serve(folder, at: Self.moved, count: 2)
        let question = SayV1(to: .orders, texts: [])
        // Longer than any request: nothing is repeated.
        let client = folder.client(firstRepeat: 600_000, endpoints: endpoints)
        #expect(try await client.ask(question, of: Self.moved, within: Self.patience) == Said(count: 1))
        endpoints.move(Self.moved, to: Self.moved)
        #expect(try await client.ask(question, of: Self.moved, within: Self.patience) == Said(count: 2))
    }

    @Test func `what waits for one who moves is asked at the new place without a repeat`() async throws {
        let folder = try HostFolder()
        let endpoints = MovingEndpoints(folder.endpoints)
        endpoints.move(Self.moved, to: Self.address)
        try serve(folder) { _ in
            endpoints.move(Self.moved, to: Self.moved)
            return nil
        }
        try serve(folder, at: Self.moved, count: 3)
        let client = folder.client(firstRepeat: 600_000, endpoints: endpoints)
        let said = try await client.ask(SayV1(to: .orders, texts: []), of: Self.moved, within: Self.patience)
        #expect(said == Said(count: 3))
    }

    @Test func `who listens later answers what was asked before`() async throws {
        let folder = try HostFolder()
        let client = folder.client()
        async let said = client.ask(SayV1(to: .orders, texts: []), of: Self.address, within: Self.patience)
        await #expect(throws: RequestClient.Fault.timedOut) {
            try await client.ask(SayV1(to: .orders, texts: []), of: Self.address, within: 50)
        }
        try serve(folder, count: 1)
        #expect(try await said == Said(count: 1))
    }

    @Test func `above the bound nothing is sent, and room comes back`() async throws {
        let folder = try HostFolder()
        let client = folder.client()
        let question = SayV1(to: .orders, texts: [])
        let areBusy = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<RequestClient.inFlightBound + 10 {
                group.addTask {
                    do {
                        _ = try await client.ask(question, of: Self.address, within: 3_600_000)
                        return false
                    } catch {
                        return error as? RequestClient.Fault == .busy
                    }
                }
            }
            // All others wait for an answer until they are told not to.
            var ended: [Bool] = []
            while ended.count < 10, let isBusy = await group.next() { ended.append(isBusy) }
            group.cancelAll()
            return await group.reduce(into: ended) { $0.append($1) }
        }
        #expect(!areBusy.prefix(10).contains(false))
        #expect(areBusy.count { !$0 } == RequestClient.inFlightBound)
        try serve(folder, count: 2)
        #expect(try await client.ask(question, of: Self.address, within: Self.patience) == Said(count: 2))
    }

    @Test func `who no longer wants an answer does not wait for it`() async throws {
        let folder = try HostFolder()
        let client = folder.client()
        await #expect(throws: CancellationError.self) {
            try await withThrowingTaskGroup(of: Said.self) { group in
                group.addTask {
                    try await client.ask(SayV1(to: .orders, texts: []), of: Self.address, within: 600_000)
                }
                group.cancelAll()
                return try await group.next()
            }
        }
    }
}
