import Glibc

/// Whose turn it is to use a loop's sockets: its thread's, or, while that sleeps, that of a thread with something to
/// send.
///
/// libzmq's sockets may change threads where a lock lies between.
final class SocketTurn: @unchecked Sendable {  // the mutex guards itself, and `loop`
    /// More are left to the loop's thread: the sender has other things to do.
    private static let mostMessages = 8

    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var loop: PollLoop?

    init() { pthread_mutex_init(mutex, nil) }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func take() { pthread_mutex_lock(mutex) }

    func pass() { pthread_mutex_unlock(mutex) }

    /// Runs a loop on the calling thread until a command stops it.
    func run(_ loop: PollLoop) {
        take()
        self.loop = loop
        loop.run()
        self.loop = nil
        pass()
    }

    /// Sends on the calling thread, which saves a wake-up; false if the loop's thread is at work or has been woken.
    func send(_ messages: some Collection<Outbound>) -> Bool {
        guard messages.count <= Self.mostMessages, pthread_mutex_trylock(mutex) == 0 else { return false }
        defer { pass() }
        return loop?.sendAsleep(messages) ?? false
    }
}
