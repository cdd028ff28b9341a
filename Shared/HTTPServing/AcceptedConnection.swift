import HummingbirdCore
import NIOConcurrencyHelpers
package import NIOCore

/// A connection on its way from the socket to whoever serves it; without anybody it is closed.
///
/// A server that stops drops what it has accepted and not handed over: what waits in the listening channel's sequence
/// when its reader is cancelled, and what is being set up on another event loop when the socket closes. A
/// `NIOAsyncChannel` that is dropped ends the process when the connection becomes active (swift-nio issues 2637, 2813
/// and 3481). Here it outlasts its channel, whose end finishes it.
package final class AcceptedConnection: ServerChildChannelValue {
    package let channel: any Channel
    /// Nil when it is served.
    private let waiting: NIOLockedValueBox<HTTP1Channel.Value?>

    init(_ connection: HTTP1Channel.Value) {
        channel = connection.channel
        waiting = NIOLockedValueBox(connection)
    }

    /// The connection for whoever serves it, who closes it; nil when somebody has it.
    func take() -> HTTP1Channel.Value? {
        waiting.withLockedValue { waiting in
            defer { waiting = nil }
            return waiting
        }
    }

    deinit {
        guard let connection = take() else { return }
        // Not at once: a sequence may hold its lock while it drops this.
        channel.eventLoop.execute { [channel] in
            channel.close(promise: nil)
            channel.closeFuture.whenComplete { _ in withExtendedLifetime(connection) {} }
        }
    }
}
