import ArgumentParser
import Contracts
import Foundation
import HTTPClient
import Program
import TestKit
import Testing

@testable import Control

@Suite struct `The operators of a home` {
    private static let now = Timestamp(milliseconds: 1_760_000_000_000)

    /// A home that has a configuration, so that it is one.
    private static func withHome(_ body: (Home) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "desk-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let home = Home(root: folder.path())
        try Data("{}".utf8).write(to: URL(filePath: home.configurationFile))
        let result = Result { try body(home) }
        try FileManager.default.removeItem(at: folder)
        try result.get()
    }

    @Test func `are stored without their keys, and a revoked one stays in the list`() throws {
        try Self.withHome { home in
            let file = OperatorFile(home: home)
            let (key, added) = try file.add("lin", .support, at: Self.now)
            let text = try String(contentsOf: URL(filePath: home.operatorsFile), encoding: .utf8)
            #expect(!text.contains(key) && text.contains(Operator.digest(of: key)))
            #expect(try OperatorRegister(of: home).active(digest: Operator.digest(of: key)) == added)
            _ = try file.revoke("lin", at: Self.now)
            let register = try OperatorRegister(of: home)
            #expect(register.active(digest: Operator.digest(of: key)) == nil)
            #expect(register.operators.map(\.id) == [added.id])
        }
    }

    @Test func `have each a name of their own, until that one is revoked`() throws {
        try Self.withHome { home in
            let file = OperatorFile(home: home)
            let (first, added) = try file.add("lin", .read, at: Self.now)
            #expect(throws: CommandFailure.self) { try file.add("lin", .approve, at: Self.now) }
            _ = try file.revoke(added.id.rawValue, at: Self.now)
            #expect(throws: CommandFailure.self) { try file.revoke("lin", at: Self.now) }
            let (second, again) = try file.add("lin", .approve, at: Self.now)
            #expect(first != second)
            #expect(again.id == added.id, "a new key makes no second person")
            #expect(try file.add("mei", .approve, at: Self.now).1.id != added.id)
            let register = try OperatorRegister(of: home)
            #expect(register.active(digest: Operator.digest(of: first)) == nil)
            #expect(register.active(digest: Operator.digest(of: second)) == again)
        }
    }

    @Test
    func `act with the key of the environment alone, and repeat with the same key what was not answered`()
        async throws
    {
        #expect(throws: CommandFailure.self) { try DeskClient(of: Home(root: "/nowhere"), environment: [:]) }
        var client = DeskClient(url: "http://127.0.0.1:1", key: "k")
        let sent = SentCalls()
        client.send = { call async throws(HTTPFailure) in
            await sent.add(call)
            guard await sent.calls.count > 1 else { throw HTTPFailure.timedOut }
            return HTTPAnswer(status: 200, body: Array(#"{"a":"b"}"#.utf8))
        }
        client.pause = { await sent.pause($0) }
        let answer = try await client.post("/x", ["a": 1], as: [String: String].self)
        #expect(answer == ["a": "b"])
        let calls = await sent.calls
        let keys = calls.map { call in call.headers.first { $0.name == "Idempotency-Key" }?.value }
        #expect(await sent.pauses == [250])
        #expect(calls.count == 2 && Set(keys).count == 1 && keys.first != nil)
        #expect(calls.allSatisfy { $0.timeout > 20_000 }, "the gateway waits 10 s for each of two partitions")
        #expect(
            calls.allSatisfy { call in
                call.url.hasSuffix("/v1/admin/x") && call.headers.contains { $0.value == "Bearer k" }
            }
        )
    }

    @Test func `propose under the same key again, which a run without an answer names`() async throws {
        let sent = SentCalls()
        func propose(_ key: String?, answer: HTTPAnswer?) async throws -> [String: String] {
            var client = DeskClient(url: "http://127.0.0.1:1", key: "k")
            client.pause = { await sent.pause($0) }
            client.send = { call async throws(HTTPFailure) in
                await sent.add(call)
                guard let answer else { throw HTTPFailure.timedOut }
                return answer
            }
            return try await client.propose("/compensations", ["a": 1], key: key)
        }
        func failure(_ key: String?, answer: HTTPAnswer?) async throws -> CommandFailure {
            let error = await #expect(throws: CommandFailure.self) {
                _ = try await propose(key, answer: answer)
            }
            return try #require(error)
        }
        let silence = try await failure(nil, answer: nil)
        let key = try #require(await sent.keys.first ?? nil)
        #expect(await sent.keys == [key, key, key])
        #expect(silence.description.hasSuffix("run it again with --key \(key)"))
        let busy = HTTPAnswer(status: 503, body: Array(#"{"detail":"busy"}"#.utf8))
        #expect(try await failure(key, answer: busy).description.hasSuffix("--key \(key)"))
        let refused = HTTPAnswer(status: 409, body: Array(#"{"detail":"no","field":"orderId"}"#.utf8))
        #expect(try await failure(key, answer: refused).description == "409: no [orderId]")
        let done = HTTPAnswer(status: 201, body: Array(#"{"a":"b"}"#.utf8))
        #expect(try await propose(key, answer: done) == ["a": "b"])
        #expect(await Set(sent.keys) == [key])
        _ = try await propose(nil, answer: done)
        #expect(await Set(sent.keys).count == 2, "without it each run is another proposal")
    }

    @Test func `name a key for what is proposed, in the characters that a header has`() throws {
        let what = ["--buyer", "ada", "--reason", "ticket 4711", "--key", "k 1"]
        #expect(try GrantCommand.parse(["--product", "p", "--goodwill"] + what).repeated.key == "k 1")
        #expect(try ReassignCommand.parse(["7"] + what).repeated.key == "k 1")
        #expect(try KeyOption.parse([]).key == nil)
        for key in ["", "钥匙", "a\nb", String(repeating: "k", count: 256)] {
            #expect(throws: (any Error).self, "\(key)") { try KeyOption.parse(["--key", key]) }
        }
    }
}

private actor SentCalls {
    private(set) var calls: [HTTPCall] = []

    private(set) var pauses: [Int64] = []

    var keys: [String?] { calls.map { call in call.headers.first { $0.name == "Idempotency-Key" }?.value } }

    func add(_ call: HTTPCall) { calls.append(call) }
    func pause(_ milliseconds: Int64) { pauses.append(milliseconds) }
}
