import CounterfoilClient
import Dispatch
import FoundationEssentials
import NIOConcurrencyHelpers

/// The way to the gateway, which events cut off and bring back.
final class PlayedNetwork: HTTPTransport, Reachability {
    private struct Away: Error {}

    private let server: GatewayAddress
    private let executor: PhoneExecutor
    private let isAway = NIOLockedValueBox(false)
    private let queue = DispatchQueue(label: "network", attributes: .concurrent)
    private let (back, comeBack) = AsyncStream<Void>.makeStream()

    init(_ server: GatewayAddress, executor: PhoneExecutor) {
        (self.server, self.executor) = (server, executor)
    }

    func goAway() { isAway.withLockedValue { $0 = true } }

    func isBack() {
        isAway.withLockedValue { $0 = false }
        comeBack.yield()
    }

    func recoveries() -> AsyncStream<Void> { back }

    func send(_ request: HTTPTransportRequest) async throws -> HTTPTransportAnswer {
        guard !isAway.withLockedValue({ $0 }) else { throw Away() }
        executor.begin()
        defer { executor.end() }
        return try await withCheckedThrowingContinuation { waiter in
            queue.async { [server] in
                waiter.resume(with: Result { try GatewayCall(server, request).answer() })
            }
        }
    }
}
