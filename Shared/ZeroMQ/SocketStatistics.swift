/// What the sockets of a loop have done since it started.
package struct SocketStatistics: Hashable, Sendable {
    /// Messages handed to libzmq.
    package var sent = 0
    /// Messages delivered.
    package var received = 0
    /// Messages dropped because their connection or socket is not there.
    package var unroutable = 0
    /// Messages dropped because the connection was full, or for a dealer not made.
    package var wouldBlock = 0
    /// Messages refused because they were larger than their socket's limit.
    package var oversized = 0
    /// Messages dropped because too many waited for the I/O thread.
    package var overflowed = 0
    /// Times the I/O thread went to sleep and woke.
    package var wakeUps = 0

    /// Messages that were to be sent and were not.
    package var dropped: Int { unroutable + wouldBlock + overflowed }
}
