import AppStore
import Contracts

extension AppleAccess {
    /// Runs `body` with the client of a job's app and partition; every error becomes a result.
    func run(
        _ job: AppleJob,
        _ body: (AppStoreServerClient) async throws(AppStoreServerError) -> AppleJobResult
    ) async -> AppleJobResult {
        guard let client = client(of: job.queue.bundleID, partition: job.partition) else {
            return .refused(.unverified)
        }
        return await CallsUnderWay.$question.withValue(job.id) {
            do throws(AppStoreServerError) {
                return try await body(client)
            } catch {
                return result(of: error, job, client)
            }
        }
    }

    /// The result for an App Store Server API error; if other calls of an endpoint would fail alike, these pause.
    ///
    /// Where too many calls of ours are under way, only this one waits, for a second.
    private func result(
        of error: AppStoreServerError,
        _ job: AppleJob,
        _ client: AppStoreServerClient
    ) -> AppleJobResult {
        let now = clock.now()
        switch error {
        case .notFound(let code): return AppleJobResult(.unknown, problem: "\(code.rawValue)")
        case .rejected(let code) where code.isOfTheRequest:
            return AppleJobResult(.unknown, problem: "\(code.rawValue)")
        case .rejected(let code): return .misunderstood("Apple rejects the call: \(code.rawValue)", now)
        case .unavailable(let until, let reason):
            switch reason {
            // Any other call to that server would fail alike.
            case .circuitOpen: pause(job, client)
            // Apple was not asked at all, because we ask too much at a time.
            case .busy: return .postponed(until: until, problem: reason.summary)
            case .noResponse, .status, .noJSON, .code: break
            }
            return AppleJobResult(.unavailable, until: until, problem: reason.summary)
        case .rateLimited(let until):
            pause(job, client)
            return .postponed(until: until, problem: "the rate limit is reached")
        case .unauthorized:
            return .misunderstood(
                "Apple does not take the key: check issuerId, keyId and privateKey (HTTP 401)",
                now
            )
        case .malformedResponse(let detail):
            return .misunderstood("Apple's answer is not understood: \(detail)", now)
        case .cancelled: return .postponed(until: now, problem: "the program ends")
        }
    }

    /// Pauses those of a job's endpoints that are closed, each until its own time; the sandbox often fails alone, and
    /// must not keep production waiting.
    private func pause(_ job: AppleJob, _ client: AppStoreServerClient) {
        for endpoint in job.kind.endpoints {
            guard let moment = client.closedUntil(endpoint, on: .production) else { continue }
            pause(job.queue, endpoint, of: job.partition, until: moment)
        }
    }
}

extension AppleJobResult {
    static func misunderstood(_ problem: String, _ now: Timestamp) -> AppleJobResult {
        AppleJobResult(.unauthorized, until: now.advanced(by: AppleQuery.alertPause), problem: problem)
    }
}

extension ServerAPIErrorCode {
    /// Whether an id is not Apple's (4000006, 4000008), a page has expired (4000005, 4000014, 4000017), or the data
    /// is too old (4000012).
    fileprivate var isOfTheRequest: Bool {
        [4_000_005, 4_000_006, 4_000_008, 4_000_012, 4_000_014, 4_000_017].contains(rawValue)
    }
}

extension UnavailabilityReason {
    fileprivate var summary: String {
        switch self {
        case .circuitOpen: "Apple does not answer; calls pause"
        case .busy: "too many calls are under way"
        case .noResponse(let failure): "no answer: \(failure.rawValue)"
        case .status(let status): "HTTP \(status) without an error code"
        case .noJSON(let status): "HTTP \(status) without JSON"
        case .code(let code): "Apple asks to try again: \(code.rawValue)"
        }
    }
}
