import NIOConcurrencyHelpers
import Testing

@testable import Delivery

@Suite struct `the heartbeats of a partition` {
    private let beats = Heartbeats()
    private let answered = NIOLockedValueBox<[Int]>([])

    /// Whether the beat is left to the thread.
    private func beat(_ number: Int) -> Bool {
        beats.add { [answered] in answered.withLockedValue { $0.append(number) } }
    }

    private var numbers: [Int] { answered.withLockedValue { $0 } }

    @Test func `are answered at once while it is taken or left`() {
        #expect(!beat(1))
        #expect(numbers == [1])
        beats.begin()
        beats.end()
        #expect(!beat(2))
        #expect(numbers == [1, 2])
    }

    @Test func `wait for its thread while it works, and are answered once`() {
        beats.begin()
        #expect(beat(1))
        #expect(beat(2))
        #expect(beats.areWaiting)
        #expect(numbers.isEmpty)
        beats.answer()
        #expect(!beats.areWaiting)
        beats.answer()
        #expect(numbers == [1, 2])
        #expect(beat(3))
        beats.end()
        #expect(numbers == [1, 2, 3])
    }
}
