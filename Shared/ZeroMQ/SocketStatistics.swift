/// What the sockets of a loop have done since its start.
package struct SocketStatistics: Hashable, Sendable {
    package var sent = 0
    package var received = 0
    /// Dropped because their connection or socket does not exist.
    package var unroutable = 0
    /// Dropped because the connection was full, or a dealer's was not made.
    package var wouldBlock = 0
    /// Refused because of their socket's limit.
    package var oversized = 0
    /// Dropped because too many waited for the I/O thread.
    package var overflowed = 0
    /// Times that a dealer on `tcp://` got a new socket because it had no connection.
    package var renewed = 0
    /// Connections on `tcp://` that were refused, to any loop of the process.
    package var strangers = 0
    /// Times the I/O thread went to sleep and woke.
    package var wakeUps = 0

    /// Messages that were to be sent and were not.
    package var dropped: Int { unroutable + wouldBlock + overflowed }
}
