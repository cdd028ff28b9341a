import CCurl
import Glibc
import NIOConcurrencyHelpers
import ZeroMQ

/// Calls over HTTP by libcurl, on connections that are kept, and on one thread for all of them.
///
/// A call never waits for another: where no connection is free, it gets a new one. Proxies of the environment are not
/// used.
package final class HTTPClient: Sendable {
    /// The process's client; it never ends.
    package static let shared = HTTPClient()

    /// For a connection, ms.
    static let connectTimeout = 10_000

    private struct Queue {
        var commands: [Command] = []
        var lastCall: UInt64 = 0
    }

    private enum Command {
        case start(HTTPCall, id: UInt64, Exchange.Reply)
        case cancel(id: UInt64)
    }

    private let queue = NIOLockedValueBox(Queue())
    /// Held while libcurl works.
    private let turn = NIOLock()
    /// A `CURLM`: the thread alone uses it, but to be woken, which every thread may do.
    private nonisolated(unsafe) let multi: UnsafeMutableRawPointer

    private init() {
        // TLS writes to connections that the other side has closed.
        signal(SIGPIPE, SIG_IGN)
        curl_global_init(Int(CURL_GLOBAL_DEFAULT))
        // A process that ends cleans TLS up, which nobody must be using then: the thread gets no further turn.
        atexit { HTTPClient.shared.turn.lock() }
        guard let multi = curl_multi_init() else { preconditionFailure("libcurl has no memory") }
        self.multi = multi
        runThread(name: "http") { [self] in run() }
    }

    /// Makes a call and waits for its answer, whatever its status.
    @concurrent package func execute(_ call: HTTPCall) async throws(HTTPFailure) -> HTTPAnswer {
        guard !Task.isCancelled else { throw .cancelled }
        let id = queue.withLockedValue { queue in
            queue.lastCall += 1
            return queue.lastCall
        }
        let (results, reply) = AsyncStream.makeStream(of: Exchange.Result.self)
        reply.onTermination = { [self] ending in
            if case .cancelled = ending { send(.cancel(id: id)) }
        }
        send(.start(call, id: id, reply))
        for await result in results { return try result.get() }
        throw .cancelled
    }

    private func send(_ command: Command) {
        queue.withLockedValue { $0.commands.append(command) }
        curl_multi_wakeup(multi)
    }

    private func run() {
        var exchanges = Exchanges(multi)
        while true {
            turn.withLock {
                for command in queue.withLockedValue({ exchange(&$0.commands, with: []) }) {
                    switch command {
                    case .start(let call, let id, let reply): exchanges.start(Exchange(call, id: id, reply))
                    case .cancel(let id): exchanges.end(id, .failure(.cancelled))
                    }
                }
                exchanges.advance()
            }
            curl_multi_poll(multi, nil, 0, exchanges.pause, nil)
        }
    }
}
