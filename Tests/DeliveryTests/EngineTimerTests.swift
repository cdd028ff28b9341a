import Contracts
import Database
import Domain
import NIOConcurrencyHelpers
import Testing

@testable import Delivery

@Suite struct EngineTimerTests {
    private let pair: EnginePair

    init() throws { pair = try EnginePair(orders: .init(timers: [JobTimer()])) }

    private func enqueue(_ keys: [String]) throws -> [WorkItem] {
        try pair.tell(pair.orders, [pair.event(JobsV1(keys: keys))]).work
    }

    private func handle(_ inputs: [PartitionInput]) throws -> PartitionOutput {
        let output = try pair.orders.engine.handle(inputs, at: pair.clock)
        try pair.carry(output, from: pair.orders)
        return output
    }

    private func take(_ turns: [WorkItem]) throws -> PartitionOutput {
        try handle(turns.map { .worked($0, result: []) })
    }

    @Test func `a turn is given out once, and takes effect with what it sends`() throws {
        let turns = try enqueue(["a", "b"])
        #expect(turns == [WorkItem(key: "a", timer: 0), WorkItem(key: "b", timer: 0)])
        #expect(try handle([.tick]).work.isEmpty)
        #expect(try take(turns).work.isEmpty)
        #expect(try pair.orders.count("job") == 0)
        #expect(try pair.entitlements.texts() == ["a", "b"])
        #expect(pair.orders.engine.state.turnsInHand.isEmpty)
    }

    @Test func `no more turns of a timer are in hand than its bound`() throws {
        let keys = (0...PartitionEngine.turnsAtOnce).map { "\(100 + $0)" }
        let turns = try enqueue(keys)
        #expect(turns.map(\.key) == Array(keys.dropLast()))
        #expect(try handle([.tick]).work.isEmpty)
        #expect(pair.orders.engine.nextDeadline(at: pair.clock) ?? .max > pair.clock.uptime, "no spinning")
        #expect(try take([turns[0]]).work.map(\.key) == Array(keys.suffix(1)))
    }

    @Test func `a new owner takes the turns that its predecessor had in hand`() throws {
        let turns = try enqueue(["a"])
        try pair.takeOver(pair.orders)
        #expect(try handle([.tick]).work == turns)
        _ = try take(turns)
        #expect(try pair.entitlements.texts() == ["a"])
    }

    @Test func `a timer with a row that cannot be read keeps no other one waiting, and is asked again`()
        throws
    {
        let fault = StoreError.corrupt("a row")
        let pair = try EnginePair(orders: .init(worker: JobWorker(), timers: [JobTimer(fault: fault)]))
        func tick() throws -> PartitionOutput { try pair.orders.engine.handle([.tick], at: pair.clock) }
        let output = try pair.tell(pair.orders, [pair.event(JobsV1(keys: ["a"]))])
        #expect(output.work.map(\.key) == ["a"])
        let alarm = "no work is begun: \(fault)"
        #expect(try !tick().alarms.contains(Alarm(.workUnreadable, alarm)), "it rests")
        pair.advance(RetryPolicy.backoff.longest)
        #expect(try tick().alarms.contains(Alarm(.workUnreadable, alarm)))
    }

    @Test func `turns that fail do not have the others of their batch taken again for each of them`() throws {
        let runs = NIOLockedValueBox(0)
        let pair = try EnginePair(orders: .init(timers: [JobTimer(runs: runs, parksFailure: false)]))
        let keys = (0..<PartitionEngine.turnsAtOnce).map { "\(100 + $0)" }
        let broken = keys.suffix(keys.count / 2)
        for key in broken { try pair.orders.write("INSERT INTO broken (text) VALUES (?)", [.text(key)]) }
        let turns = try pair.tell(pair.orders, [pair.event(JobsV1(keys: keys))]).work
        #expect(turns.map(\.key) == keys)
        let output = try pair.orders.engine.handle(turns.map { .worked($0, result: []) }, at: pair.clock)
        try pair.carry(output, from: pair.orders)
        #expect(try pair.entitlements.texts() == Array(keys.dropLast(broken.count)))
        #expect(output.alarms.count { $0.text.hasPrefix("work fails: ") } == broken.count)
        #expect(runs.withLockedValue { $0 } <= PartitionEngine.batchFailures * keys.count)
    }

    @Test func `a turn that fails three times in a row is parked alone, until it is released`() throws {
        try pair.orders.write("INSERT INTO broken (text) VALUES ('a')")
        var turns = try enqueue(["a", "b"])
        var alarms: [String] = []
        for _ in 0..<3 {
            if turns.isEmpty {
                pair.advance(RetryPolicy.backoff.first)
                turns = try handle([.tick]).work
            }
            let output = try take(turns)
            (turns, alarms) = (output.work, output.alarms.map(\.text))
        }
        #expect(alarms.contains { $0.hasPrefix("work is parked: a: Broken") })
        #expect(try pair.entitlements.texts() == ["b"])
        pair.advance(RetryPolicy.backoff.longest)
        #expect(try handle([.tick]).work.isEmpty)
        try pair.orders.write("DELETE FROM broken")
        let wish = DelayedEventReleaseV1(eventId: "a", decidedBy: "ada")
        let released = try pair.orders.engine.handle([pair.request(wish)], at: pair.clock)
        #expect(released.work == [WorkItem(key: "a", timer: 0)])
        _ = try take(released.work)
        #expect(try pair.entitlements.texts() == ["b", "a"])
    }
}

/// Does jobs by itself; one whose key is in `broken` fails, and is parked after some attempts unless it shall not be.
struct JobTimer: DurableTimer {
    /// Why it never finds out what is due.
    var fault: StoreError?
    /// Whether nothing is due, and its turns change nothing.
    var isIdle = false
    /// Counts its turns.
    var runs = NIOLockedValueBox(0)
    var parksFailure = true

    func due(
        _ connection: any Connection,
        now: Timestamp,
        limit: Int,
        excluding inHand: Set<String>
    ) throws -> (keys: [String], next: Timestamp?) {
        if let fault { throw fault }
        guard !isIdle else { return ([], nil) }
        let orders = PartitionAddress(.orders, 0)
        let due = try JobWorker().due(
            connection,
            of: orders,
            now: now,
            limit: limit,
            underWay: [],
            excluding: inHand
        )
        return (due.items.map(\.key), due.next)
    }

    func run(_ key: String, in context: HandlerContext) throws {
        runs.withLockedValue { $0 += 1 }
        guard !isIdle else { return }
        try JobWorker().finish(WorkItem(key: key), result: Array(key.utf8), in: context)
    }
}
