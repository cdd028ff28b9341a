import NIOConcurrencyHelpers

/// The heartbeats that a partition's thread answers.
///
/// | the thread | a heartbeat is answered |
/// |---|---|
/// | takes the partition or leaves it, which may take long | at once |
/// | works | after a turn and an empty transaction, however long the queue is |
/// | waits for the partition's log, which bounds each wait | within a fraction of a second, and others go on |
final class Heartbeats: Sendable {
    typealias Answer = @Sendable () -> Void

    /// Those that the thread has to answer; nil while they are answered at once.
    private let waiting = NIOLockedValueBox<[Answer]?>(nil)

    /// Answers at once, or leaves it to the thread, which is then to be woken.
    ///
    /// - Returns: whether it is left to the thread.
    func add(_ answer: @escaping Answer) -> Bool {
        let isLeft = waiting.withLockedValue { waiting in
            waiting?.append(answer)
            return waiting != nil
        }
        if !isLeft { answer() }
        return isLeft
    }

    /// Whether one waits for the thread.
    var areWaiting: Bool { waiting.withLockedValue { $0?.isEmpty == false } }

    /// The thread works from now on.
    func begin() { waiting.withLockedValue { $0 = [] } }

    /// They are answered at once from now on, and those that wait now.
    func end() {
        for answer in waiting.withLockedValue({ $0.take() }) ?? [] { answer() }
    }

    /// Answers those that wait.
    func answer() {
        let answers = waiting.withLockedValue { waiting in
            defer { if waiting != nil { waiting = [] } }
            return waiting ?? []
        }
        for answer in answers { answer() }
    }
}
