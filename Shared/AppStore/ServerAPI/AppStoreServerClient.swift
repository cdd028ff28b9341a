import Contracts
import Domain

/// The App Store Server API for one app: with its own rate limits, circuit breaker and token, and no state that a crash
/// could lose.
///
/// A call brings Apple's response or fails with an error whose case says what to do. It waits in no queue: while Apple
/// is down it fails at once and says when to come back, so an outage costs neither threads nor memory. `CallLimiter`,
/// `Backoff` and `ServerAPIResult` decide.
package final class AppStoreServerClient: Sendable {
    /// A response of more bytes is not read; Apple's own client has the same limit.
    static let responseBytes = 1 << 20
    /// Calls in all before it gives up: few, as the work itself is durable.
    private static let attempts = 3
    private static let backoff = Backoff(first: 200, longest: 5_000)

    private let addresses: AppleAddresses
    private let tokens: BearerTokens
    private let transport: any AppleTransport
    private let clock: ClientClock
    private let limiters: CallLimiters

    /// A client for the app of `key`; `callsPerSecond` replaces Apple's published limits where they change.
    package init(
        key: AppStoreServerKey,
        addresses: AppleAddresses = .serverAPI,
        transport: any AppleTransport = HTTPTransport(),
        clock: ClientClock = .system,
        callsPerSecond: [Endpoint: Double] = [:]
    ) throws(UnusableKey) {
        tokens = try BearerTokens(key)
        self.addresses = addresses
        self.transport = transport
        self.clock = clock
        limiters = CallLimiters(clock) { server in
            let buckets = Endpoint.allCases.map {
                ($0, $0.bucket(on: server, callsPerSecond: callsPerSecond[$0]))
            }
            return CallLimiter(buckets: Dictionary(uniqueKeysWithValues: buckets))
        }
    }

    /// Asks one server after the other until one knows what is asked for: production first, as most purchases are real.
    ///
    /// When Apple does not know a transaction, the next server is asked, and also when it does not take the key: in
    /// production it takes none while an app was never released. An unavailable production proves nothing.
    package func find<Request: AppStoreServerRequest>(
        _ request: Request,
        on servers: [AppleServer] = [.production, .sandbox]
    ) async throws(AppStoreServerError) -> (response: Request.Response, server: AppleServer) {
        var refusal = AppStoreServerError.notFound(.transactionIdNotFound)
        for server in servers {
            do throws(AppStoreServerError) {
                return (try await send(request, to: server), server)
            } catch .unauthorized {
                refusal = .unauthorized
            } catch {
                guard case .notFound(let code) = error, code.asksForOtherServer else { throw error }
                if refusal != .unauthorized { refusal = error }
            }
        }
        throw refusal
    }

    /// Asks one server, and waits for a token of the rate limit where one comes within `timeout` ms.
    package func send<Request: AppStoreServerRequest>(
        _ request: Request,
        to server: AppleServer,
        waitingForRate timeout: Int64
    ) async throws(AppStoreServerError) -> Request.Response {
        let end = clock.now().advanced(by: timeout)
        while true {
            do throws(AppStoreServerError) {
                return try await send(request, to: server)
            } catch {
                guard case .rateLimited(let until) = error, until <= end else { throw error }
                try await sleep(max(1, until.milliseconds - clock.now().milliseconds))
            }
        }
    }

    /// Asks one server; what brings no response is tried again within seconds.
    package func send<Request: AppStoreServerRequest>(
        _ request: Request,
        to server: AppleServer
    ) async throws(AppStoreServerError) -> Request.Response {
        var attempt = 1
        while true {
            switch try await call(request, server) {
            case .response(let response): return response
            case .failed(let error): throw error
            case .rateLimited(let until): throw .rateLimited(until: until)
            case .unavailable(let reason):
                let delay = Self.backoff.pause(after: attempt, random: clock.random())
                guard attempt < Self.attempts else {
                    throw .unavailable(until: clock.now().advanced(by: delay), reason)
                }
                try await sleep(delay)
                attempt += 1
            }
        }
    }

    /// One call under a permit.
    private func call<Request: AppStoreServerRequest>(
        _ request: Request,
        _ server: AppleServer
    ) async throws(AppStoreServerError) -> ServerAPIResult<Request.Response> {
        let permit = try acquire(Request.endpoint, server)
        do throws(AppStoreServerError) {
            try await sleep(permit.start.milliseconds - clock.now().milliseconds)
            let result = try await exchange(request, server)
            limiters.release(permit, on: server, result.outcome)
            return result
        } catch {
            limiters.release(permit, on: server, .cancelled)
            throw error
        }
    }

    private func exchange<Request: AppStoreServerRequest>(
        _ request: Request,
        _ server: AppleServer
    ) async throws(AppStoreServerError) -> ServerAPIResult<Request.Response> {
        let request = try await httpRequest(request, server)
        do throws(TransportFailure) {
            let response = try await transport.execute(request)
            if response.status == 401, let token = request.token { tokens.discard(token) }
            return ServerAPIResult(response, now: clock.now())
        } catch {
            guard error != .cancelled else { throw .cancelled }
            return .unavailable(.noResponse(error))
        }
    }

    private func httpRequest(
        _ request: some AppStoreServerRequest,
        _ server: AppleServer
    ) async throws(AppStoreServerError) -> AppleHTTPRequest {
        do {
            return AppleHTTPRequest(
                method: type(of: request).endpoint.method,
                url: addresses.address(of: server) + request.pathAndQuery,
                token: try await tokens.token(now: clock.now()),
                body: try request.body(),
                responseLimit: Self.responseBytes
            )
        } catch {
            // The operator must replace a key that cannot sign, as one that Apple does not take.
            throw .unauthorized
        }
    }

    private func sleep(_ milliseconds: Int64) async throws(AppStoreServerError) {
        guard milliseconds > 0 else { return }
        do { try await clock.sleep(milliseconds) } catch { throw .cancelled }
    }

    private func acquire(
        _ endpoint: Endpoint,
        _ server: AppleServer
    ) throws(AppStoreServerError) -> CallLimiter.Permit {
        do throws(CallLimiter.Refusal) {
            return try limiters.acquire(endpoint, on: server)
        } catch {
            switch error {
            case .circuitOpen(let until): throw .unavailable(until: until, .circuitOpen)
            case .busy(let until): throw .unavailable(until: until, .busy)
            case .rateLimited(let until): throw .rateLimited(until: until)
            }
        }
    }
}

extension ServerAPIResult {
    /// What the limiter learns of it: whatever Apple itself said is a response, also a refusal.
    fileprivate var outcome: CallLimiter.Outcome {
        switch self {
        case .response, .failed: .responded
        case .rateLimited(let until): .rateLimited(until: until)
        case .unavailable(.code(let code)) where !code.isServerFault: .responded
        case .unavailable: .failed
        }
    }
}
