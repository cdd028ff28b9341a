import Contracts
import Database
import Domain
import Testing

@testable import Delivery

@Suite struct EngineWorkTests {
    private let pair: EnginePair

    init() throws { pair = try EnginePair(orders: .init(worker: JobWorker())) }

    private func finish(_ items: [WorkItem]) throws -> PartitionOutput {
        let inputs = items.map { PartitionInput.worked($0, result: $0.payload) }
        let output = try pair.orders.engine.handle(inputs, at: pair.clock)
        try pair.carry(output, from: pair.orders)
        return output
    }

    @Test func `work is committed, given out, and its result is written with what it sends`() throws {
        let output = try pair.tell(pair.orders, [pair.event(JobsV1(keys: ["a"]))])
        #expect(output.work == [WorkItem(key: "a", payload: Array("a".utf8))])
        #expect(try pair.orders.count("job") == 1)
        #expect(try finish(output.work).work.isEmpty)
        #expect(try pair.orders.count("job") == 0)
        #expect(try pair.entitlements.texts() == ["a"])
    }

    @Test func `no more is in hand than the worker bears`() throws {
        let output = try pair.tell(pair.orders, [pair.event(JobsV1(keys: ["a", "b", "c", "d", "e"]))])
        #expect(output.work.map(\.key) == ["a", "b"])
        #expect(try pair.orders.engine.handle([.tick], at: pair.clock).work.isEmpty)
        #expect(pair.orders.engine.nextDeadline(at: pair.clock) ?? .max > pair.clock.uptime, "no spinning")
        #expect(try finish([output.work[0]]).work.map(\.key) == ["c"])
        #expect(try finish([output.work[1]]).work.map(\.key) == ["d"])
        #expect(pair.orders.engine.state.workInHand == ["c", "d"])
    }

    @Test func `work that is due later is given out then`() throws {
        let later = pair.clock.now.milliseconds + 5_000
        try pair.orders.write("INSERT INTO job (key, due) VALUES ('later', ?)", [.integer(later)])
        #expect(try pair.orders.engine.handle([.tick], at: pair.clock).work.isEmpty)
        #expect(pair.orders.engine.nextDeadline(at: pair.clock) == pair.clock.uptime + 5_000)
        pair.advance(5_000)
        #expect(try pair.orders.engine.handle([.tick], at: pair.clock).work.map(\.key) == ["later"])
    }

    @Test func `a new owner does again what its predecessor had in hand`() throws {
        let output = try pair.tell(pair.orders, [pair.event(JobsV1(keys: ["a"]))])
        #expect(output.work.count == 1)
        try pair.takeOver(pair.orders)
        let again = try pair.orders.engine.handle([.tick], at: pair.clock)
        #expect(again.work == output.work)
        _ = try finish(again.work)
        #expect(try pair.entitlements.texts() == ["a"])
    }

    @Test func `a result that cannot be written leaves its item to be done again, and the rest takes effect`()
        throws
    {
        try pair.orders.write("INSERT INTO broken (text) VALUES ('a')")
        let output = try pair.tell(pair.orders, [pair.event(JobsV1(keys: ["a", "b"]))])
        #expect(output.work.map(\.key) == ["a", "b"])
        _ = try finish(output.work.reversed())
        #expect(try pair.entitlements.texts() == ["b"])
        #expect(try pair.orders.count("job") == 1)
        try pair.orders.write("DELETE FROM broken")
        pair.advance(RetryPolicy.backoff.longest)
        let again = try pair.orders.engine.handle([.tick], at: pair.clock)
        #expect(again.work.map(\.key) == ["a"])
        try pair.carry(again, from: pair.orders)
        _ = try finish(again.work)
        #expect(try pair.entitlements.texts() == ["b", "a"])
    }

    @Test func `an item that fails rests alone: others go on, and it is tried again later`() throws {
        try pair.orders.write("INSERT INTO broken (text) VALUES ('a')")
        let output = try pair.tell(pair.orders, [pair.event(JobsV1(keys: ["a", "b", "c"]))])
        #expect(output.work.map(\.key) == ["a", "b"])
        let failed = try finish([output.work[0]])
        #expect(failed.work.map(\.key) == ["c"])
        #expect(failed.alarms.contains { $0.text.hasPrefix("work fails: a: Broken") })
        _ = try finish([output.work[1]] + failed.work)
        #expect(try pair.entitlements.texts() == ["b", "c"])
        #expect(try pair.orders.engine.handle([.tick], at: pair.clock).work.isEmpty)
        pair.advance(RetryPolicy.backoff.longest)
        #expect(try pair.orders.engine.handle([.tick], at: pair.clock).work.map(\.key) == ["a"])
    }

    @Test func `an item that fails again and again is tried, and named, more and more rarely`() throws {
        try pair.orders.write("INSERT INTO broken (text) VALUES ('a')")
        var work = try pair.tell(pair.orders, [pair.event(JobsV1(keys: ["a"]))]).work
        var (pauses, named): ([Int64], [Int]) = ([], [])
        for failure in 1...10 {
            #expect(work.map(\.key) == ["a"])
            let failed = try finish(work)
            if failed.alarms.contains(where: { $0.text.hasPrefix("work fails: a") }) { named.append(failure) }
            let rests = try #require(pair.orders.engine.state.failingWork["a"])
            #expect(rests.failures == failure)
            let pause = rests.restsUntil - pair.clock.uptime
            pauses.append(pause)
            pair.advance(pause - 1)
            #expect(try pair.orders.engine.handle([.tick], at: pair.clock).work.isEmpty)
            pair.advance(1)
            work = try pair.orders.engine.handle([.tick], at: pair.clock).work
        }
        #expect(named == [1, 2, 4, 8])
        #expect((15_000...30_000).contains(pauses[0]) && (1_800_000...3_600_000).contains(pauses[9]))
        try pair.orders.write("DELETE FROM broken")
        _ = try finish(work)
        #expect(pair.orders.engine.state.failingWork.isEmpty)
    }

    @Test func `no more failures are remembered than the bound, and none of what is gone`() throws {
        try pair.orders.write("INSERT INTO broken (text) VALUES ('a')")
        let gone = pair.clock.uptime
        for number in 0..<PartitionEngine.failingWorkItems {
            pair.orders.engine.state.failingWork["\(number)"] = .init(failures: 1, restsUntil: gone)
        }
        let output = try pair.tell(pair.orders, [pair.event(JobsV1(keys: ["a", "b", "c"]))])
        #expect(output.work.map(\.key) == ["a", "b"])
        let failed = try finish([output.work[0]])
        #expect(failed.work.isEmpty, "the worker rests")
        #expect(pair.orders.engine.state.failingWork.count == PartitionEngine.failingWorkItems)
        pair.advance(RetryPolicy.backoff.longest)
        let later = try pair.orders.engine.handle([.tick], at: pair.clock)
        #expect(later.work.map(\.key) == ["a"], "b is in hand")
        pair.advance(RetryPolicy.work.longest)
        _ = try finish(later.work)
        #expect(pair.orders.engine.state.failingWork.isEmpty)
        pair.advance(RetryPolicy.backoff.longest)
        let last = try pair.orders.engine.handle([.tick], at: pair.clock)
        #expect(last.work.map(\.key) == ["a"])
        _ = try finish(last.work)
        #expect(Array(pair.orders.engine.state.failingWork.keys) == ["a"])
    }

    @Test
    func `a result that three attempts in a row cannot write parks its item alone, until it is released`()
        throws
    {
        try pair.orders.write("INSERT INTO broken (text) VALUES ('a poison')")
        let output = try pair.tell(pair.orders, [pair.event(JobsV1(keys: ["a poison", "b"]))])
        #expect(output.work.map(\.key) == ["a poison", "b"])
        var parked = try finish(output.work)
        #expect(parked.alarms.isEmpty, "a store may fail once")
        for _ in 1..<3 {
            var next = parked.work
            if next.isEmpty {
                pair.advance(RetryPolicy.backoff.first)
                let tick = try pair.orders.engine.handle([.tick], at: pair.clock)
                try pair.carry(tick, from: pair.orders)
                next = tick.work
            }
            #expect(next.map(\.key) == ["a poison"])
            parked = try finish(next)
        }
        #expect(parked.alarms.contains { $0.text.hasPrefix("work is parked: a poison: Broken") })
        #expect(try pair.entitlements.texts() == ["b"])
        pair.advance(RetryPolicy.backoff.longest)
        let later = try pair.orders.engine.handle([.tick], at: pair.clock)
        try pair.carry(later, from: pair.orders)
        #expect(later.work.isEmpty)
        #expect(try pair.orders.count("job") == 1, "its row stays")
        let status = try #require(try pair.ask(PartitionStatusV1(), of: pair.orders)).get()
        #expect(status.parkedWork == 1)
        try pair.orders.write("DELETE FROM broken")
        let wish = DelayedEventReleaseV1(eventId: "a poison", decidedBy: "ada")
        let released = try pair.orders.engine.handle([pair.request(wish)], at: pair.clock)
        #expect(released.work.map(\.key) == ["a poison"])
        _ = try finish(released.work)
        #expect(try pair.entitlements.texts() == ["b", "a poison"])
    }

    @Test func `a result that finds no room in the store is written later`() throws {
        let output = try pair.tell(pair.orders, [pair.event(JobsV1(keys: ["a"]))])
        pair.orders.store.fault = .full
        #expect(throws: StoreError.full) { try finish(output.work) }
        pair.orders.store.fault = nil
        _ = try finish(output.work)
        #expect(try pair.entitlements.texts() == ["a"])
        #expect(pair.orders.engine.state.workInHand.isEmpty)
    }

    @Test func `work is looked for again at once when the clock is set back`() throws {
        let right = pair.clock.now
        pair.advance(30 * 86_400_000)
        let later = pair.clock.now.milliseconds + 5_000
        try pair.orders.write("INSERT INTO job (key, due) VALUES ('later', ?)", [.integer(later)])
        #expect(try pair.orders.engine.handle([.tick], at: pair.clock).work.isEmpty)
        try pair.orders.write("UPDATE job SET due = 0")
        pair.clock.now = right.advanced(by: 1_000)
        #expect(pair.orders.engine.nextDeadline(at: pair.clock) == pair.clock.uptime)
        #expect(try pair.orders.engine.handle([.tick], at: pair.clock).work.map(\.key) == ["later"])
        #expect(try pair.orders.engine.handle([.tick], at: pair.clock).work.isEmpty, "once")
    }
}
