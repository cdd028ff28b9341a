import Contracts
import Domain
import Foundation
import Testing

@testable import Delivery

/// A partition that goes to a host whose clock is off, and back.
///
/// Who owns it is decided without any wall clock: no file that decides it names one, which is a rule of
/// `Banned constructs`.
@Suite struct `a host whose clock is off by minutes` {
    /// What a run leaves beside timestamps.
    private struct Outcome: Equatable {
        var texts: Set<String>
        var rows: [String: Int]
        var unsettled: Int
        var alarms: [String]
    }

    private static let tables = ["note", "link_in", "outbox", "delayed_event", "dead_letter"]

    /// Lets the time pass that the owner waits for, until nothing is delayed.
    private static func retry(_ pair: EnginePair, times: Int) throws {
        let engine = pair.entitlements.engine
        for _ in 0..<times where !engine.state.delayed.isEmpty {
            let deadline = try #require(engine.nextDeadline(at: pair.clock))
            pair.advance(max(0, deadline - pair.clock.uptime))
            try pair.carry(engine.retryDelayed(at: pair.clock), from: pair.entitlements)
        }
    }

    private static func run(offset: Int64) throws -> (left: Outcome, milliseconds: Int64) {
        let pair = try EnginePair()
        let start = pair.clock.uptime
        try pair.entitlements.write("INSERT INTO broken (text) VALUES ('bad')")
        try pair.carry(pair.send(["1", "bad", "2"]), from: pair.orders)
        for (text, jump) in [("3", offset), ("4", -offset)] {
            pair.clock.now = pair.clock.now.advanced(by: jump)
            try pair.takeOver(pair.entitlements)
            try pair.reconnect()
            try pair.carry(pair.send([text], subject: "bob"), from: pair.orders)
            try retry(pair, times: 2)
        }
        try pair.entitlements.write("DELETE FROM broken")
        try retry(pair, times: 20)
        let counts = try tables.map { ($0, try pair.entitlements.count($0)) }
        let outcome = Outcome(
            texts: Set(try pair.entitlements.texts()),
            rows: Dictionary(uniqueKeysWithValues: counts),
            unsettled: pair.orders.engine.state.depth,
            alarms: pair.alarms
        )
        return (outcome, pair.clock.uptime - start)
    }

    @Test(arguments: [-3_600_000, -240_000, 240_000, 3_600_000] as [Int64])
    func `changes nothing but timestamps in the partitions that it takes`(offset: Int64) throws {
        let (right, off) = (try Self.run(offset: 0), try Self.run(offset: offset))
        #expect(right.left.texts == ["1", "2", "3", "4", "bad"])
        #expect(off.left == right.left)
        let most = right.milliseconds + RetryPolicy.backoff.longest
        #expect(off.milliseconds <= most, "nothing waits until a wall clock is right")
    }
}

@Suite struct `the clock of an owner's lease` {
    /// A watcher elsewhere counts on while this machine sleeps; `/proc/uptime` does, too.
    @Test func `goes on while the machine sleeps`() throws {
        let text = try String(contentsOfFile: "/proc/uptime", encoding: .utf8)
        let seconds = try #require(text.split(separator: " ").first.flatMap { Double($0) })
        #expect(abs(ClockReading.sinceBoot - Int64(seconds * 1_000)) < 10_000)
    }
}
