import ArgumentParser
import Contracts
import Database
import Delivery
import Foundation
import Glibc
import Logging
import NIOConcurrencyHelpers
import TestKit
import ZeroMQ

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
    }

    @Option(help: "How many events to carry.")
    var events = 300_000

    func run() async throws {
        let bench = try LinkBench(limit: events)
        let seconds = try await bench.measure()
        try report(
            Result(
                events: events,
                eventBytes: bench.eventBytes,
                seconds: seconds,
                eventsPerSecond: Int(Double(events) / seconds)
            )
        )
    }
}

/// A payload that makes the whole event about 400 bytes long.
private struct Parcel: Contract {
    static let type: EventType = "counterfoil.benchmark.parcel.v1"
    var number: Int
    var padding: String
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
    static let padding = String(repeating: "x", count: 140)

    func register(in table: inout HandlerTable) {
        table.on(request: Emit.self) { event, transaction in
            for number in 0..<event.data.count {
                let parcel = Parcel(number: number, padding: Self.padding)
                try transaction.send(parcel, to: PartitionAddress(.entitlements, 0), subject: "parcels")
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

/// Two hosts with their own sockets, as two processes would have.
private struct LinkBench {
    /// Events that one request makes.
    private static let eventsPerRequest = 500
    private static let requestsInFlight = 8

    let eventBytes: Int
    private let folder: String
    private let limit: Int

    init(limit: Int) throws {
        self.limit = limit
        folder = FileManager.default.temporaryDirectory.appending(path: "cf-links-\(getpid())").path()
        for part in ["members", "orders", "entitlements"] {
            try FileManager.default.createDirectory(
                atPath: "\(folder)/\(part)",
                withIntermediateDirectories: true
            )
        }
        let sample = Event(
            id: EventID(unchecked: String(repeating: "0", count: 32)),
            source: "/orders/0",
            time: Timestamp(milliseconds: 0),
            subject: "parcels",
            data: Parcel(number: 100, padding: ParcelSender.padding)
        )
        eventBytes = try EventCoder.encoder().encode(sample).count + 50
    }

    private func settings(_ service: ServiceName, _ sockets: SocketLoop) -> HostSettings {
        let folder = folder
        return HostSettings(
            partitions: 1,
            replica: service == .orders ? 0 : 1,
            dataFolder: "\(folder)/\(service.rawValue)",
            membersFolder: "\(folder)/members",
            socketPath: { "\(folder)/\($0.service.rawValue)-\($0.partition).sock" },
            sockets: sockets,
            logger: Logger(label: service.rawValue, factory: { _ in SwiftLogNoOpLogHandler() })
        )
    }

    func measure() async throws -> Double {
        let count = NIOLockedValueBox(0)
        let (arrived, arrival) = AsyncStream<Void>.makeStream()
        let limit = limit
        let receiver = ParcelReceiver {
            count.withLockedValue { count in
                count += 1
                if count == limit { arrival.finish() }
            }
        }
        let outgoing = try SocketLoop(name: "sender")
        let incoming = try SocketLoop(name: "receiver")
        let sender = PartitionHost(service: ParcelSender(), settings: settings(.orders, outgoing))
        let taker = PartitionHost(service: receiver, settings: settings(.entitlements, incoming))
        let folder = folder
        let client = RequestClient(sockets: outgoing, source: "/benchmark") {
            "\(folder)/\($0.service.rawValue)-\($0.partition).sock"
        }
        let seconds = try await withThrowingTaskGroup { group in
            group.addTask { try await sender.run() }
            group.addTask { try await taker.run() }
            defer {
                sender.stop()
                taker.stop()
            }
            return try await emit(client, until: arrived)
        }
        try FileManager.default.removeItem(atPath: folder)
        return seconds
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

    private func emit(_ client: RequestClient, until arrived: AsyncStream<Void>) async throws -> Double {
        _ = try await client.ask(Emit(count: 0), of: PartitionAddress(.orders, 0), within: 10_000)
        let limit = limit
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
}
