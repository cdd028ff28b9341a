import Foundation
import Glibc
import TestTraits
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A test with a thread of its own` {
    @Test(.ownThread) func `is there from its beginning, though it awaits nothing`() {
        #expect(OwnThread.isHere)
    }

    @Test(.ownThread) func `is there with all that it awaits and starts, and nothing else is`() async {
        let thread = pthread_self()
        await Task.yield()
        #expect(pthread_self() == thread)
        async let child = pthread_self()
        #expect(await child == thread)
        let other = await Task.detached { pthread_self() }.value
        #expect(other != thread)
    }

    @Test func `holds nobody up while it blocks, even if they are more than there are processors`() async {
        let count = ProcessInfo.processInfo.activeProcessorCount + 2
        let meeting = Meeting(of: count)
        await withTaskGroup { group in
            for _ in 0..<count { group.addTask { await OwnThread.run { meeting.join() } } }
            // Nobody of them goes on before this task, which has no thread of its own, has come.
            while meeting.isAwaited { await Task.yield() }
            await group.waitForAll()
        }
        #expect(!meeting.isAwaited)
    }

    @Test func `throws what it throws`() async {
        await #expect(throws: CancellationError.self) {
            try await OwnThread.run { throw CancellationError() }
        }
    }
}

/// Where threads wait for each other.
private final class Meeting: @unchecked Sendable {  // every member is guarded by `condition`
    private let condition = NSCondition()
    private var missing: Int

    init(of count: Int) { missing = count }

    /// Whether somebody has not come.
    var isAwaited: Bool { condition.withLock { missing > 0 } }

    /// Blocks the calling thread until all are there.
    func join() {
        condition.withLock {
            missing -= 1
            condition.broadcast()
            while missing > 0 { condition.wait() }
        }
    }
}
