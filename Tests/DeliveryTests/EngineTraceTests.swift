import Contracts
import Database
import Foundation
import Testing

@testable import Delivery

/// Where the trace of a request goes.
@Suite struct EngineTraceTests {
    private static let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

    private let pair: EnginePair

    init() throws { pair = try EnginePair(orders: .init(worker: JobWorker())) }

    private func input(_ body: some Contract, on trace: String?) throws -> PartitionInput {
        let event = Event(
            id: EventID(unchecked: "event"),
            source: "/test",
            time: pair.clock.now,
            subject: "ada",
            traceparent: trace,
            data: body
        )
        return .direct(try EventCoder.encoder().encode(event))
    }

    private func relay(_ texts: String..., on trace: String?) throws -> PartitionInput {
        try input(RelayV1(to: .entitlements, texts: texts), on: trace)
    }

    /// The traces of all that Orders has sent, in order.
    private func traces() throws -> [String?] {
        let rows = try pair.orders.store.write {
            try $0.rows("SELECT event FROM outbox ORDER BY position", [])
        }
        return try rows.map { row in
            try Self.traceparent(of: row[0])
        }
    }

    private static func traceparent(of event: [UInt8]) throws -> String? {
        struct Head: Decodable { let traceparent: String? }
        return try JSONDecoder().decode(Head.self, from: Data(event)).traceparent
    }

    @Test func `what a handler sends is on the trace of the message that it handles, and on no other`() throws
    {
        let inputs = [try relay("1", "2", on: Self.trace), try relay("3", on: nil)]
        _ = try pair.orders.engine.handle(inputs, at: pair.clock)
        #expect(try traces() == [Self.trace, Self.trace, nil])
    }

    @Test func `what comes of outside work is on no trace, whatever was handled before it`() throws {
        let jobs = try input(JobsV1(keys: ["a"]), on: Self.trace)
        let work = try #require(pair.orders.engine.handle([jobs], at: pair.clock).work.first)
        let inputs: [PartitionInput] = [try relay("1", on: Self.trace), .worked(work, result: work.payload)]
        _ = try pair.orders.engine.handle(inputs, at: pair.clock)
        #expect(try traces() == [Self.trace, nil])
    }

    @Test func `an alarm names the trace of the message in whose handling it was raised`() throws {
        let notes: [(text: String, trace: String?)] = [
            ("alarm", Self.trace), ("alarm", nil), ("deadLetter", Self.trace), ("deadLetter", nil),
        ]
        let inputs = try notes.map { try input(NoteV1(text: $0.text), on: $0.trace) }
        let letter = "dead letter: \(NoteV1.type.rawValue): nobody wants it"
        #expect(
            try pair.orders.engine.handle(inputs, at: pair.clock).alarms == [
                Alarm(.deadLetter, letter, traceparent: Self.trace), Alarm(.deadLetter, letter),
                Alarm(.purchaseParked, "look", traceparent: Self.trace), Alarm(.purchaseParked, "look"),
            ]
        )
    }

    @Test func `what a redrive sends is on no trace, whatever was handled before it`() throws {
        try pair.carry(pair.send(["first"]), from: pair.orders)
        _ = try pair.ask(LinkResumeV1(to: pair.entitlements.address, redrive: true), of: pair.orders)
        let engine = pair.orders.engine
        try pair.orders.store.write { connection in
            let batch = Batch(engine, connection, from: engine.state, at: pair.clock)
            batch.context.traceparent = Self.trace
            try batch.take(.redrive(pair.entitlements.address), .item(0))
            #expect(try batch.context.sent.map { try Self.traceparent(of: $0.bytes) } == [nil])
        }
    }
}
