import Contracts
package import Domain
import NIOConcurrencyHelpers

/// Asks Apple about one app: its own pace, circuit and token, and no state that a crash could lose.
///
/// A call either brings Apple's answer or fails with an error whose kind says what to do. It waits in no queue:
/// while Apple is down it fails at once and says when to come back, so an outage costs neither threads nor
/// memory. The decisions are `CallGate`'s, `Backoff`'s and `AnswerReading`'s; this is the shell around them.
package final class AppStoreServerClient: Sendable {
    /// An answer of more bytes is not read; Apple's own client has the same limit.
    package static let answerBytes = 1 << 20

    private let addresses: AppleAddresses
    private let tokens: BearerTokens
    private let transport: any AppleTransport
    private let clock: CallClock
    private let attempts: Int
    private let backoff: Backoff
    private let production: NIOLockedValueBox<CallGate>
    private let sandbox: NIOLockedValueBox<CallGate>

    /// A client for the app of `key`; `attempts` calls are made in all before it gives up:
    /// few, as the work itself is durable. `callsPerSecond` replaces Apple's published limits where they change.
    package init(
        key: AppStoreServerKey,
        addresses: AppleAddresses = .serverAPI,
        transport: any AppleTransport = HTTPSTransport(),
        clock: CallClock = .system,
        attempts: Int = 3,
        backoff: Backoff = Backoff(first: 200, longest: 5_000),
        callsPerSecond: [Endpoint: Double] = [:]
    ) throws(UnusableKey) {
        tokens = try BearerTokens(key)
        self.addresses = addresses
        self.transport = transport
        self.clock = clock
        self.attempts = attempts
        self.backoff = backoff
        production = NIOLockedValueBox(CallGate(pacing: .production, callsPerSecond))
        sandbox = NIOLockedValueBox(CallGate(pacing: .sandbox, callsPerSecond))
    }

    /// Asks the servers one after the other until one knows what is asked for: production first, as most
    /// purchases are real.
    ///
    /// Apple's word that it does not know a transaction leads on to the next server, and so does a key that it does not
    /// take: in production it takes none while an app was never released. A production that is not to be had proves
    /// nothing.
    package func find<Request: AppStoreServerRequest>(
        _ request: Request,
        on servers: [AppleServer] = [.production, .sandbox]
    ) async throws(AppStoreServerError) -> (answer: Request.Answer, server: AppleServer) {
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

    /// Asks one server, and waits for its turn where that comes within so many ms.
    package func sendInTurn<Request: AppStoreServerRequest>(
        _ request: Request,
        to server: AppleServer,
        within patience: Int64
    ) async throws(AppStoreServerError) -> Request.Answer {
        let end = clock.now().advanced(by: patience)
        while true {
            do throws(AppStoreServerError) {
                return try await send(request, to: server)
            } catch {
                guard case .rateLimited(let until) = error, until <= end else { throw error }
                try await wait(max(1, until.milliseconds - clock.now().milliseconds))
            }
        }
    }

    /// Asks one server; what brings no answer is tried again within seconds.
    package func send<Request: AppStoreServerRequest>(
        _ request: Request,
        to server: AppleServer
    ) async throws(AppStoreServerError) -> Request.Answer {
        var attempt = 1
        while true {
            switch try await ask(request, server) {
            case .answer(let answer): return answer
            case .failed(let error): throw error
            case .rateLimited(let until): throw .rateLimited(until: until)
            case .unavailable(let reason):
                let pause = backoff.pause(after: attempt, random: clock.random())
                guard attempt < attempts else {
                    throw .unavailable(until: clock.now().advanced(by: pause), reason)
                }
                try await wait(pause)
                attempt += 1
            }
        }
    }

    /// One call, from the gate and back to it.
    private func ask<Request: AppStoreServerRequest>(
        _ request: Request,
        _ server: AppleServer
    ) async throws(AppStoreServerError) -> AnswerReading<Request.Answer> {
        let permit = try enter(Request.endpoint, server)
        do throws(AppStoreServerError) {
            try await wait(permit.start.milliseconds - clock.now().milliseconds)
            let reading = try await exchange(request, server)
            leave(server, permit, reading.outcome)
            return reading
        } catch {
            leave(server, permit, .abandoned)
            throw error
        }
    }

    private func exchange<Request: AppStoreServerRequest>(
        _ request: Request,
        _ server: AppleServer
    ) async throws(AppStoreServerError) -> AnswerReading<Request.Answer> {
        let call = try await call(request, server)
        do throws(TransportFailure) {
            let answer = try await transport.execute(call)
            if answer.status == 401, let token = call.token { tokens.discard(token) }
            return AnswerReading(answer, now: clock.now())
        } catch {
            guard error != .cancelled else { throw .cancelled }
            return .unavailable(.noAnswer(error))
        }
    }

    private func call(
        _ request: some AppStoreServerRequest,
        _ server: AppleServer
    ) async throws(AppStoreServerError) -> AppleCall {
        do {
            return AppleCall(
                method: type(of: request).endpoint.method,
                url: addresses.address(of: server) + request.pathAndQuery,
                token: try await tokens.token(now: clock.now()),
                body: try request.body(),
                answerLimit: Self.answerBytes
            )
        } catch {
            // A key that cannot sign is the operator's to mend, as one that Apple does not take.
            throw .unauthorized
        }
    }

    private func wait(_ milliseconds: Int64) async throws(AppStoreServerError) {
        guard milliseconds > 0 else { return }
        do { try await clock.pause(milliseconds) } catch { throw .cancelled }
    }

    private func enter(
        _ endpoint: Endpoint,
        _ server: AppleServer
    ) throws(AppStoreServerError) -> CallGate.Permit {
        let now = clock.now()
        do throws(CallGate.Refusal) {
            return try gate(of: server).withLockedValue { gate in
                Result { () throws(CallGate.Refusal) in try gate.enter(endpoint, now: now) }
            }.get()
        } catch {
            switch error {
            case .circuitOpen(let until): throw .unavailable(until: until, .circuitOpen)
            case .busy(let until): throw .unavailable(until: until, .busy)
            case .rateLimited(let until): throw .rateLimited(until: until)
            }
        }
    }

    private func leave(_ server: AppleServer, _ permit: CallGate.Permit, _ outcome: CallGate.Outcome) {
        let now = clock.now()
        gate(of: server).withLockedValue { $0.leave(permit, outcome, now: now) }
    }

    private func gate(of server: AppleServer) -> NIOLockedValueBox<CallGate> {
        server == .production ? production : sandbox
    }
}

extension CallGate {
    /// A gate that paces every endpoint.
    fileprivate init(pacing server: AppleServer, _ callsPerSecond: [Endpoint: Double]) {
        let buckets = Endpoint.allCases.map {
            ($0, $0.bucket(on: server, callsPerSecond: callsPerSecond[$0]))
        }
        self.init(buckets: Dictionary(uniqueKeysWithValues: buckets))
    }
}

extension AnswerReading {
    /// What the gate learns of it: whatever Apple itself said is an answer, be it a refusal.
    fileprivate var outcome: CallGate.Outcome {
        switch self {
        case .answer, .failed: .answered
        case .rateLimited(let until): .rateLimited(until: until)
        case .unavailable(.code(let code)) where !code.isServerFault: .answered
        case .unavailable: .failed
        }
    }
}
