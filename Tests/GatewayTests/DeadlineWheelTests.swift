import NIOConcurrencyHelpers
import NIOCore
import NIOEmbedded
import Testing

@testable import Gateway

@Suite struct `Deadlines of connections` {
    private let loop = EmbeddedEventLoop()
    private let passed = NIOLockedValueBox<[Int64]>([])

    private func schedule(_ wheel: DeadlineWheel, _ seconds: Int64) -> DeadlineTimer.Action {
        wheel.schedule(in: .seconds(seconds)) { [passed] in passed.withLockedValue { $0.append(seconds) } }
    }

    private var all: [Int64] { passed.withLockedValue { $0 } }

    @Test func `pass within a turn after they are due, never before, and not once they are cancelled`() {
        let wheel = DeadlineWheel(of: loop)
        let turn = DeadlineWheel.turnMilliseconds
        loop.advanceTime(by: .milliseconds(turn / 2))
        let cancels = [3, 1, 2].map { schedule(wheel, $0) }
        cancels[2]()
        loop.advanceTime(by: .milliseconds(999))
        #expect(all.isEmpty)
        loop.advanceTime(by: .milliseconds(2 * turn + 1))
        #expect(all == [1])
        loop.advanceTime(by: .seconds(3))
        #expect(all == [1, 3])
        cancels[0]()
    }

    @Test func `are kept again after none was left, and may set others when they pass`() {
        let wheel = NIOLoopBound(DeadlineWheel(of: loop), eventLoop: loop)
        for _ in 0..<2 {
            _ = wheel.value.schedule(in: .seconds(1)) { [passed] in
                passed.withLockedValue { $0.append(1) }
                _ = wheel.value.schedule(in: .seconds(1)) { passed.withLockedValue { $0.append(2) } }
            }
            loop.advanceTime(by: .seconds(10))
        }
        #expect(all == [1, 2, 1, 2])
    }
}
