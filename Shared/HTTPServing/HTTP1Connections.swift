package import HummingbirdCore
package import Logging
package import NIOCore

/// Hummingbird's HTTP/1.1, of which a connection that nobody serves is closed.
package struct HTTP1Connections: ServerChildChannel {
    private let http: HTTP1Channel

    package init(
        responder: @escaping HTTP1Channel.Responder,
        configuration: HTTP1Channel.Configuration = .init()
    ) {
        http = HTTP1Channel(responder: responder, configuration: configuration)
    }

    /// The connection, ready for whoever takes it.
    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<AcceptedConnection> {
        do {
            try channel.closeOnExec()
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        return http.setup(channel: channel, logger: logger).map { AcceptedConnection($0) }
    }

    /// Serves a connection to its end.
    package func handle(value connection: AcceptedConnection, logger: Logger) async {
        guard let taken = connection.take() else { return }
        await http.handle(value: taken, logger: logger)
    }
}

extension HTTPServerBuilder {
    /// The server of an `Application`, in place of Hummingbird's own `http1()`, which may trap when it stops.
    package static var http1Connections: HTTPServerBuilder {
        HTTPServerBuilder { HTTP1Connections(responder: $0) }
    }
}
