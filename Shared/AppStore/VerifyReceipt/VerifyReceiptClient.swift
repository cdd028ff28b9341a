package import Contracts
package import Domain

/// The result of one attempt with a receipt.
package struct VerifyReceiptResult: Hashable, Sendable {
    package var outcome: VerifyReceiptOutcome
    package var server: AppleServer
    /// Present for `valid` and `notEntitled`.
    package var response: VerifyReceiptResponse?
    /// Set while the receipt stays pending.
    package var retryAt: Timestamp?
}

/// The recorded attempts with one receipt.
package struct VerifyReceiptAttempts: Hashable, Sendable {
    let count: Int
    let refusals: Int

    package init(count: Int = 0, refusals: Int = 0) {
        self.count = count
        self.refusals = refusals
    }
}

/// Apple's deprecated `verifyReceipt`, production first.
///
/// One attempt a call, at most one request to each server; the owner of the durable work counts attempts. It
/// never throws: every failure is an outcome, and only a response from Apple loses a receipt.
package final class VerifyReceiptClient: Sendable {
    /// Enough for the longest request's receipt of 2.25 MiB.
    ///
    /// It has some 6,400 rows, each about 1 KiB of JSON, which `latest_receipt_info` lists once more.
    static let responseBytes = 24 << 20
    /// The pause before a receipt's next attempt; short, as Apple may be back.
    package static let backoff = Backoff(first: 1_000, longest: 10_000)
    /// Ms after an alarm that an operator must end.
    static let alarmPause: Int64 = 60_000

    private let addresses: AppleAddresses
    private let transport: any AppleTransport
    private let clock: ClientClock
    private let limiters: CallLimiters

    package init(
        addresses: AppleAddresses = .verifyReceipt,
        transport: any AppleTransport = HTTPTransport(),
        clock: ClientClock = .system
    ) {
        self.addresses = addresses
        self.transport = transport
        self.clock = clock
        limiters = CallLimiters(clock)
    }

    /// Makes one more attempt with a receipt.
    package func verify(
        _ request: VerifyReceiptRequest,
        after earlier: VerifyReceiptAttempts = VerifyReceiptAttempts()
    ) async -> VerifyReceiptResult {
        var result = await attempt(request, earlier)
        result.retryAt = retryAt(after: result.outcome, earlier.count + 1, notBefore: result.retryAt)
        return result
    }

    private func attempt(
        _ request: VerifyReceiptRequest,
        _ earlier: VerifyReceiptAttempts
    ) async -> VerifyReceiptResult {
        let body: [UInt8]
        do {
            body = try RequestBody.json(request)
        } catch {
            return VerifyReceiptResult(outcome: .ourFault, server: .production)
        }
        guard body.count <= VerifyReceiptRequest.maximumBytes else {
            return VerifyReceiptResult(outcome: .tooLarge, server: .production)
        }
        let first = await ask(.production, body, earlier)
        guard case .ask(let other) = first.outcome else { return first }
        return await ask(other, body, earlier, isRedirected: true)
    }

    private func ask(
        _ server: AppleServer,
        _ body: [UInt8],
        _ earlier: VerifyReceiptAttempts,
        isRedirected: Bool = false
    ) async -> VerifyReceiptResult {
        let permit: CallLimiter.Permit
        do throws(CallLimiter.Refusal) {
            permit = try limiters.acquire(nil, on: server)
        } catch {
            switch error {
            case .circuitOpen(let until):
                return VerifyReceiptResult(outcome: .retry(.circuitOpen), server: server, retryAt: until)
            case .busy(let until), .rateLimited(let until):
                return VerifyReceiptResult(outcome: .retry(.busy), server: server, retryAt: until)
            }
        }
        let request = AppleHTTPRequest(
            method: .post,
            url: addresses.address(of: server),
            body: body,
            responseLimit: Self.responseBytes
        )
        do throws(TransportFailure) {
            let answer = try await transport.execute(request)
            let response = VerifyReceiptResponse(json: answer.body)
            let outcome = VerifyReceiptOutcome(
                http: answer.status,
                status: response?.status,
                isRetryable: response?.isRetryable,
                from: server,
                isRedirected: isRedirected,
                earlierRefusals: earlier.refusals
            )
            limiters.release(permit, on: server, outcome.isServerFault ? .failed : .responded)
            return VerifyReceiptResult(outcome: outcome, server: server, response: response)
        } catch {
            limiters.release(permit, on: server, error == .cancelled ? .cancelled : .failed)
            return VerifyReceiptResult(outcome: .retry(.noResponse(error)), server: server)
        }
    }

    private func retryAt(
        after outcome: VerifyReceiptOutcome,
        _ attempt: Int,
        notBefore earliest: Timestamp?
    ) -> Timestamp? {
        switch outcome {
        case .retry, .ask:
            let delay = Self.backoff.pause(after: attempt, random: clock.random())
            return max(clock.now().advanced(by: delay), earliest ?? clock.now())
        case .wrongSecret, .ourFault: return clock.now().advanced(by: Self.alarmPause)
        case .valid, .notEntitled, .reject, .neverPurchased, .park, .tooLarge: return nil
        }
    }
}
