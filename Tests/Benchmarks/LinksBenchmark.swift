import ArgumentParser
import Contracts
import Database
import Delivery
import Foundation
import NIOConcurrencyHelpers
import TestKit

/// `counterfoil-bench links`: one link, from a durable outbox to a durable effect, over real sockets.
struct Links: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "links",
        abstract: "Carries events of 400 bytes over one link, durable to durable."
    )

    struct Result: Encodable {
        let events: Int
        let eventBytes: Int
        let seconds: Double
        let eventsPerSecond: Int
        /// Records of the same bytes that one thread appends durably in a second, as many at a time as a commit has.
        let appendsPerSecond: Int
        /// eventsPerSecond to appendsPerSecond.
        let ratio: Double
    }

    /// Events that one request makes.
    private static let eventsPerRequest = 500
    private static let requestsInFlight = 8
    private static let eventsPerCommit = 256

    @Option(help: "How many events to carry.")
    var events = 300_000

    func run() async throws {
        let eventBytes = try Parcel.eventBytes()
        let appends = try MachineLimits.durableAppendsPerSecond(
            bytes: eventBytes,
            together: Self.eventsPerCommit,
            seconds: 2,
            in: FileManager.default.temporaryDirectory
        )
        let seconds = try await measure()
        let rate = Double(events) / seconds
        try report(
            Result(
                events: events,
                eventBytes: eventBytes,
                seconds: seconds,
                eventsPerSecond: Int(rate),
                appendsPerSecond: Int(appends),
                ratio: (rate / appends * 1_000).rounded() / 1_000
            )
        )
    }

    /// Two hosts with their own sockets, as two processes would have; the seconds that the events took.
    private func measure() async throws -> Double {
        let (arrived, arrival) = AsyncStream<Void>.makeStream()
        let (count, limit) = (NIOLockedValueBox(0), events)
        let receiver = ParcelReceiver {
            count.withLockedValue { count in
                count += 1
                if count == limit { arrival.finish() }
            }
        }
        let folder = try HostFolder()
        let hosts = [try folder.host(ParcelSender()), try folder.host(receiver, replica: 1)]
        return try await withThrowingTaskGroup { group in
            for host in hosts { group.addTask { try await host.run() } }
            defer { for host in hosts { host.stop() } }
            return try await emit(folder.client(), until: arrived)
        }
    }

    private func emit(_ client: RequestClient, until arrived: AsyncStream<Void>) async throws -> Double {
        _ = try await client.ask(Emit(count: 0), of: PartitionAddress(.orders, 0), within: 10_000)
        let limit = events
        let start = ContinuousClock.now
        try await withThrowingTaskGroup { group in
            let count = Self.eventsPerRequest
            for lane in 0..<Self.requestsInFlight {
                group.addTask {
                    for first in stride(from: lane * count, to: limit, by: Self.requestsInFlight * count) {
                        try await Self.ask(client, Emit(count: min(count, limit - first)))
                    }
                }
            }
            try await group.waitForAll()
        }
        for await _ in arrived {}
        return (ContinuousClock.now - start) / .seconds(1)
    }

    /// Asks until the sender's outbox has room.
    private static func ask(_ client: RequestClient, _ emit: Emit) async throws {
        while true {
            do {
                _ = try await client.ask(emit, of: PartitionAddress(.orders, 0), within: 60_000)
                return
            } catch let refusal as RequestRefusal where refusal.code == .busy {
                try await Task.sleep(for: .milliseconds(10))
            }
        }
    }
}

/// A payload that makes the whole event about 400 bytes long.
private struct Parcel: Contract {
    static let type: EventType = "counterfoil.benchmark.parcel.v1"
    var number: Int
    var padding = Parcel.usualPadding

    private static let usualPadding = String(repeating: "x", count: 140)

    static func eventBytes() throws -> Int {
        let sample = Event(
            id: EventID(unchecked: String(repeating: "0", count: 32)),
            source: "/orders/0",
            time: Timestamp(milliseconds: 0),
            subject: "parcels",
            data: Parcel(number: 100)
        )
        return try EventCoder.encoder().encode(sample).count + 50
    }
}

/// Like those of the messages of a purchase.
extension Parcel {
    @inline(__always) init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        number = try json.member("number", value?.number)
        padding = try json.member("padding", value?.padding)
        try json.close()
    }
}

/// Asks the sender for parcels.
private struct Emit: RequestContract {
    typealias Reply = Int
    static let type: EventType = "counterfoil.benchmark.emit.v1"
    var count: Int
}

private struct ParcelSender: BareService {
    static let name = ServiceName.orders
    static let schema = Schema("benchmark", [])

    func register(in table: inout HandlerTable) {
        table.on(request: Emit.self) { event, transaction in
            for number in 0..<event.data.count {
                try transaction.send(
                    Parcel(number: number),
                    to: PartitionAddress(.entitlements, 0),
                    subject: "parcels"
                )
            }
            return .reply(event.data.count)
        }
    }
}

private struct ParcelReceiver: BareService {
    static let name = ServiceName.entitlements
    static let schema = Schema(
        "benchmark",
        [Migration(1, ["CREATE TABLE parcel (number INTEGER NOT NULL PRIMARY KEY, body TEXT NOT NULL)"])]
    )
    let received: @Sendable () -> Void

    func register(in table: inout HandlerTable) {
        table.on(Parcel.self) { event, transaction in
            try transaction.connection.execute(
                "INSERT INTO parcel (body) VALUES (?)",
                [.text(event.data.padding)]
            )
            received()
            return .applied
        }
    }
}
