import Dispatch
import NIOConcurrencyHelpers

/// Runs everything that the phone does on one queue, and knows when nothing of it is left.
///
/// So the phone can say that an event has had all its effects: the kit itself tells nobody.
final class PhoneExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "phone")
    private let underWay = NIOLockedValueBox(0)
    private let atRest: @Sendable () -> Void

    /// `atRest` is called on the queue whenever nothing is left to do; nothing else runs meanwhile.
    init(atRest: @escaping @Sendable () -> Void) { self.atRest = atRest }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        begin()
        queue.async {
            job.runSynchronously(on: self.asUnownedTaskExecutor())
            self.leave()
        }
    }

    /// Something goes on elsewhere whose end has effects here, such as a request.
    func begin() { underWay.withLockedValue { $0 += 1 } }

    /// It is over; what follows of it has been enqueued before.
    func end() { queue.async { self.leave() } }

    private func leave() {
        let left = underWay.withLockedValue { count in
            count -= 1
            return count
        }
        if left == 0 { atRest() }
    }
}
