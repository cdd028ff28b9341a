import Foundation

/// One thread that runs the parts of a task in their order.
final class ThreadExecutor: TaskExecutor, @unchecked Sendable {  // every member is guarded by `condition`
    /// What is set in the dictionary of such a thread.
    private static let mark = "a test's own"

    /// Whether the calling thread is such a thread.
    static var isHere: Bool { Thread.current.threadDictionary[mark] != nil }

    private let condition = NSCondition()
    private var jobs: [UnownedJob] = []
    private var isEnded = false

    /// Starts the thread, which keeps this executor until it ends.
    func start() {
        Thread {
            Thread.current.threadDictionary[Self.mark] = true
            while let job = self.next() { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
        .start()
    }

    /// Ends the thread once it has nothing to do; nothing may come later.
    func end() {
        condition.withLock {
            isEnded = true
            condition.signal()
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        condition.withLock {
            jobs.append(job)
            condition.signal()
        }
    }

    /// Waits for something to do; nil at the end.
    private func next() -> UnownedJob? {
        condition.withLock {
            while jobs.isEmpty {
                guard !isEnded else { return nil }
                condition.wait()
            }
            return jobs.removeFirst()
        }
    }
}
