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

    /// What a client sends within a second to a partition that never answers.
    private func messages(to folder: HostFolder, from client: RequestClient) async throws -> [WireMessage] {
        let (asked, seen) = AsyncStream<WireMessage>.makeStream()
        try serve(folder) { message in
            seen.yield(message)
            return nil
        }
        await #expect(throws: RequestClient.Fault.timedOut) {
            try await client.ask(SayV1(to: .orders, texts: ["1"]), of: Self.address, within: 1_000)
        }
        seen.finish()
        return await asked.reduce(into: []) { $0.append($1) }
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
        let said = try await folder.client().ask(question, of: Self.address, subject: "ada", within: 5_000)
        #expect(said == Said(count: 7))
        let asked = try #require(await events.first { _ in true })
        #expect((1...5_000).contains(asked.header.request?.within ?? 0))
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
            try await client.ask(SayV1(to: .orders, texts: ["first"]), of: Self.address, within: 5_000)
        }
        let fault = await #expect(throws: RequestClient.Fault.self) {
            try await client.ask(SayV1(to: .orders, texts: ["second"]), of: Self.address, within: 5_000)
        }
        guard case .badReply? = fault else { return #expect(Bool(false), "\(fault as Any)") }
    }

    @Test func `a question that was lost is asked again with what is left of its time`() async throws {
        let folder = try HostFolder()
        let messages = try await messages(to: folder, from: folder.client(firstRepeat: 250))
        let isRight = (3...4).contains(messages.count)
        #expect(isRight, "at once, after 250 ms, after 750 ms; once more when connected")
        #expect(Set(messages.compactMap(\.header.request?.id)).count == 1)
        #expect(Set(messages.map(\.body)).count == 1, "the same event each time")
        let times = messages.compactMap(\.header.request?.within)
        // The first, and the one after the connection was made, may pass each other.
        let repeats = times.filter { $0 < 900 }
        #expect(repeats.count >= 2)
        #expect(repeats == repeats.sorted(by: >))
        #expect(times.last ?? .max <= 300)
    }

    @Test func `one who is slow is not asked again for 2 s, but one who is new at once`() async throws {
        #expect(RequestClient.firstRepeatMilliseconds == 2_000)
        let folder = try HostFolder()
        let messages = try await messages(to: folder, from: folder.client())
        #expect((1...2).contains(messages.count), "at once; once more when connected")
    }

    @Test func `at a stale address it is asked again soon, and then less and less often`() async throws {
        let folder = try HostFolder()
        let endpoints = MovingEndpoints(folder.endpoints)
        endpoints.move(Self.moved, to: Self.address)
        let client = folder.client(endpoints: endpoints)
        let (asked, seen) = AsyncStream<WireMessage>.makeStream()
        try serve(folder) { message in
            seen.yield(message)
            return Self.astray(message)
        }
        await #expect(throws: RequestClient.Fault.timedOut) {
            try await client.ask(SayV1(to: .orders, texts: []), of: Self.moved, within: 3_000)
        }
        seen.finish()
        let strays: [WireMessage] = await asked.reduce(into: []) { $0.append($1) }
        #expect(strays.allSatisfy { $0.header.request?.to == Self.moved })
        // The first may come once more when connected.
        let repeats = strays.compactMap(\.header.request?.within).filter { $0 < 2_900 }
        #expect((2...4).contains(repeats.count), "after 250, 750 and 1,750 ms: \(repeats) ms were left")
    }

    @Test func `at a stale address it is asked again before long, and then where it is`() async throws {
        let folder = try HostFolder()
        let endpoints = MovingEndpoints(folder.endpoints)
        endpoints.move(Self.moved, to: Self.address)
        let (asked, seen) = AsyncStream<Int64>.makeStream()
        try serve(folder) { message in
            endpoints.move(Self.moved, to: Self.moved)
            return Self.astray(message)
        }
        try serve(folder, at: Self.moved) { message in
            guard let request = message.header.request else { return nil }
            seen.yield(request.within)
            return WireMessage(WireHeader(reply: .init(id: request.id)), body: [Array(#"{"count":3}"#.utf8)])
        }
        let question = SayV1(to: .orders, texts: [])
        let client = folder.client(endpoints: endpoints)
        #expect(try await client.ask(question, of: Self.moved, within: 20_000) == Said(count: 3))
        let left = try #require(await asked.first { _ in true })
        #expect(left > 20_000 - RequestClient.firstRepeatMilliseconds, "before its usual repeat")
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
        #expect(try await client.ask(question, of: Self.moved, within: 20_000) == Said(count: 1))
        endpoints.move(Self.moved, to: Self.moved)
        #expect(try await client.ask(question, of: Self.moved, within: 20_000) == Said(count: 2))
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
        let said = try await client.ask(SayV1(to: .orders, texts: []), of: Self.moved, within: 20_000)
        #expect(said == Said(count: 3))
    }

    @Test func `who listens later answers what was asked before`() async throws {
        let folder = try HostFolder()
        let client = folder.client()
        async let said = client.ask(SayV1(to: .orders, texts: []), of: Self.address, within: 20_000)
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
        let faults = await withTaskGroup(of: RequestClient.Fault?.self) { group in
            for _ in 0..<RequestClient.inFlightBound + 10 {
                group.addTask {
                    do {
                        _ = try await client.ask(question, of: Self.address, within: 3_000)
                        return nil
                    } catch {
                        return error as? RequestClient.Fault
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(faults.count { $0 == .busy } == 10)
        #expect(faults.count { $0 == .timedOut } == RequestClient.inFlightBound)
        try serve(folder, count: 2)
        #expect(try await client.ask(question, of: Self.address, within: 20_000) == Said(count: 2))
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
