import Foundation
import NIOConcurrencyHelpers
import Testing

@testable import Delivery

@Suite struct `turns of the partitions of a process` {
    private struct Seen {
        var inside = 0
        var most = 0
        var turns = 0
    }

    @Test(arguments: [1, 2])
    func `never more at once than allowed, and each thread gets all of its turns`(limit: Int) async {
        let (threads, rounds) = (4, 200)
        let turns = BatchTurns(atOnce: limit)
        let seen = NIOLockedValueBox(Seen())
        let (ends, end) = AsyncStream<Void>.makeStream()
        for _ in 0..<threads {
            Thread {
                for _ in 0..<rounds { Self.oneTurn(of: turns, seen) }
                end.yield()
            }
            .start()
        }
        for await _ in ends.prefix(threads) {}
        let result = seen.withLockedValue { $0 }
        #expect(result.turns == threads * rounds)
        #expect(result.most <= limit)
    }

    private static func oneTurn(of turns: BatchTurns, _ seen: NIOLockedValueBox<Seen>) {
        turns.take { _ in
            seen.withLockedValue { seen in
                seen.inside += 1
                seen.most = max(seen.most, seen.inside)
            }
            // Others would come in now, if they could.
            sched_yield()
            seen.withLockedValue { seen in
                seen.inside -= 1
                seen.turns += 1
            }
        }
    }

    @Test func `a thread that had to wait knows it, and looks again for what came meanwhile`() async {
        let turns = BatchTurns(atOnce: 1)
        let (begins, begin) = AsyncStream<Void>.makeStream()
        let (waits, wait) = AsyncStream<Bool>.makeStream()
        Thread {
            turns.take { hasWaited in
                wait.yield(hasWaited)
                begin.yield()
                while !turns.isAwaited { sched_yield() }
            }
        }
        .start()
        for await _ in begins.prefix(1) {}
        Thread { turns.take { hasWaited in _ = wait.yield(hasWaited) } }.start()
        var seen: [Bool] = []
        for await hasWaited in waits.prefix(2) { seen.append(hasWaited) }
        #expect(seen == [false, true])
    }

    @Test func `a busy thread does not pass those that wait for long`() async {
        let turns = BatchTurns(atOnce: 1)
        let (begins, begin) = AsyncStream<Void>.makeStream()
        let (ends, end) = AsyncStream<Int>.makeStream()
        let waiterHadItsTurn = NIOLockedValueBox(false)
        Thread {
            turns.take { _ in
                begin.yield()
                while !turns.isAwaited { sched_yield() }
            }
            var passed = 0
            while !waiterHadItsTurn.withLockedValue({ $0 }) { turns.take { _ in passed += 1 } }
            end.yield(passed)
        }
        .start()
        for await _ in begins.prefix(1) {}
        Thread { turns.take { _ in waiterHadItsTurn.withLockedValue { $0 = true } } }.start()
        // One more begins behind the waiting thread's turn, before the busy one sees that it was.
        for await passed in ends.prefix(1) { #expect(passed <= BatchTurns.maximumOvertakes + 1) }
    }

    @Test func `a turn that fails is over`() {
        struct Failure: Error {}
        let turns = BatchTurns(atOnce: 1)
        #expect(throws: Failure.self) { try turns.take { _ in throw Failure() } }
        #expect(turns.take { !$0 })
    }
}

extension BatchTurns {
    /// Runs `body` in a turn of this thread, and tells it whether the thread had to wait.
    fileprivate func take<Value>(_ body: (_ hasWaited: Bool) throws -> Value) rethrows -> Value {
        let hasWaited = begin()
        defer { end() }
        return try body(hasWaited)
    }
}
