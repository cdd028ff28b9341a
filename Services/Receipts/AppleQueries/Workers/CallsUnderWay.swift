import AppStore
import NIOConcurrencyHelpers

/// Knows which calls to Apple have gone out and are not answered yet; nothing is stored.
///
/// A call that waits for its turn, by our own limits, has not gone out. Times are of the monotonic clock, in ms: a jump
/// of the wall clock must not look as if Apple were silent.
final class CallsUnderWay: AppleTransport {
    /// The id of the question for which calls are made.
    @TaskLocal static var question: String?

    private struct State {
        /// By the id of the question: when its call went out, and to which server.
        var started: [String: (at: Int64, server: AppleServer)] = [:]
        /// When each server answered last.
        var answered: [AppleServer: Int64] = [:]
    }

    private let transport: any AppleTransport
    private let addresses: AppleAddresses
    private let clock: ClientClock
    private let state = NIOLockedValueBox(State())

    init(_ transport: any AppleTransport, to addresses: AppleAddresses, clock: ClientClock) {
        (self.transport, self.addresses, self.clock) = (transport, addresses, clock)
    }

    func execute(_ request: AppleHTTPRequest) async throws(TransportFailure) -> AppleHTTPResponse {
        let isSandbox = request.url.hasPrefix(addresses.address(of: .sandbox))
        let (question, server) = (Self.question, isSandbox ? AppleServer.sandbox : .production)
        let now = clock.uptime()
        if let question { state.withLockedValue { $0.started[question] = (now, server) } }
        defer { if let question { state.withLockedValue { $0.started[question] = nil } } }
        let response = try await transport.execute(request)
        if response.status < Self.leastServerFault {
            let now = clock.uptime()
            state.withLockedValue { $0.answered[server] = now }
        }
        return response
    }

    private static let leastServerFault = 500

    /// Whether the call for a question has gone out so long ago, ms, without an answer, and its server has answered no
    /// other call since: a slow server answers, if late.
    func isHanging(_ question: String, for silence: Int64) -> Bool {
        let now = clock.uptime()
        return state.withLockedValue { state in
            guard let call = state.started[question] else { return false }
            let hasAnsweredSince = state.answered[call.server].map { $0 > call.at } ?? false
            return now - call.at >= silence && !hasAnsweredSince
        }
    }
}
