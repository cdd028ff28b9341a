package import Contracts
import Domain

/// The App Store Server API for one app.
///
/// It has its own rate limits, circuit breaker and token, and no state that a crash could lose. A call does
/// not queue: while Apple is down it fails at once and says when to try again, so an outage costs neither
/// threads nor memory.
package final class AppStoreServerClient: Sendable {
    /// Few, as the work itself is durable.
    private static let attempts = 3
    private static let backoff = Backoff(first: 200, longest: 5_000)

    private let addresses: AppleAddresses
    private let tokens: BearerTokens
    private let transport: any AppleTransport
    private let clock: ClientClock
    private let limiters: CallLimiters

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

    /// Until when calls to an endpoint are refused, because it has stopped responding or was asked too much; nil if
    /// they are not.
    package func closedUntil(_ endpoint: Endpoint, on server: AppleServer) -> Timestamp? {
        limiters.closedUntil(endpoint, on: server)
    }

    /// Asks production, then the sandbox.
    ///
    /// The next server is asked when Apple does not know a transaction or does not accept the key: production
    /// accepts none for an app that was never released. An unavailable production proves nothing.
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

    /// Asks one server; waits at most `timeout` ms for the rate limit.
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

    /// Asks one server and retries within seconds if no response comes.
    package func send<Request: AppStoreServerRequest>(
        _ request: Request,
        to server: AppleServer
    ) async throws(AppStoreServerError) -> Request.Response {
        var attempt = 1
        while true {
            switch try await call(request, server) {
            case .response(let response): return response
            case .failed(let error): throw error
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

    private func call<Request: AppStoreServerRequest>(
        _ request: Request,
        _ server: AppleServer
    ) async throws(AppStoreServerError) -> ServerAPIResult<Request.Response> {
        let permit = try acquire(Request.endpoint, server)
        do throws(AppStoreServerError) {
            try await sleep(permit.start.milliseconds - clock.now().milliseconds)
            let result = try await exchange(request, server)
            limiters.release(permit, on: server, result.outcome, blockedUntil: result.blockedUntil)
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
                responseLimit: type(of: request).endpoint.responseBytes
            )
        } catch {
            // A key that cannot sign needs the operator, like one that Apple does not accept.
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
    /// Any response from Apple counts, also a refusal.
    fileprivate var outcome: CircuitBreaker.Outcome {
        switch self {
        case .response, .failed: .responded
        case .unavailable(.code(let code)) where !code.isServerFault: .responded
        case .unavailable: .failed
        }
    }

    fileprivate var blockedUntil: Timestamp? {
        if case .failed(.rateLimited(let until)) = self { until } else { nil }
    }
}
