import AppStore
import Contracts
import NIOConcurrencyHelpers

/// Knows which calls to Apple have gone out and are not answered yet; nothing is stored.
///
/// A call that waits for its turn, by our own limits, has not gone out.
final class CallsUnderWay: AppleTransport {
    /// The id of the question for which calls are made.
    @TaskLocal static var question: String?

    private let transport: any AppleTransport
    private let clock: ClientClock
    private let started = NIOLockedValueBox<[String: Timestamp]>([:])

    init(_ transport: any AppleTransport, clock: ClientClock) {
        (self.transport, self.clock) = (transport, clock)
    }

    func execute(_ request: AppleHTTPRequest) async throws(TransportFailure) -> AppleHTTPResponse {
        guard let question = Self.question else { return try await transport.execute(request) }
        let now = clock.now()
        started.withLockedValue { $0[question] = now }
        defer { started.withLockedValue { $0[question] = nil } }
        return try await transport.execute(request)
    }

    /// When the call went out that a question waits for; nil while none is under way.
    func start(of question: String) -> Timestamp? { started.withLockedValue { $0[question] } }
}
