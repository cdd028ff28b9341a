import Contracts
import Domain
import FoundationEssentials

/// What an HTTP response of the App Store Server API means.
///
/// | HTTP | body | means |
/// |---|---|---|
/// | 2xx | the JSON documented | the response |
/// | 2xx | nothing, and nothing is documented | the response |
/// | 2xx | JSON of another shape | `malformedResponse` |
/// | 2xx | nothing, HTML, rubbish | `unavailable`, try again |
/// | 401 | whatever | `unauthorized` |
/// | 429 | whatever | `rateLimited` until `Retry-After` |
/// | others | a code of Apple's, retryable or with 5xx | `unavailable`, try again |
/// | others | a permanent code of Apple's, 404xxxx | `notFound` |
/// | others | a permanent code of Apple's | `rejected` |
/// | others | no code | not from Apple: `unavailable`, try again |
enum ServerAPIResult<Response: Decodable & Sendable> {
    case response(Response)
    case failed(AppStoreServerError)
    case unavailable(UnavailabilityReason)

    init(_ response: AppleHTTPResponse, now: Timestamp) {
        switch response.status {
        case 200...299: self = Self.success(response)
        case 401: self = .failed(.unauthorized)
        case 429: self = .failed(.rateLimited(until: RetryAfter.moment(response.retryAfter, now: now)))
        default: self = Self.failure(response)
        }
    }

    private static func success(_ response: AppleHTTPResponse) -> ServerAPIResult {
        if let nothing = NoResponse() as? Response, response.body.isEmpty { return .response(nothing) }
        let noJSON = ServerAPIResult.unavailable(.noJSON(status: response.status))
        guard JSONBody.looksLikeAnObject(response.body) else { return noJSON }
        do {
            return .response(try JSONDecoder().decode(Response.self, from: Data(response.body)))
        } catch DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty {
            return noJSON
        } catch let error as DecodingError {
            return .failed(.malformedResponse(error.oneLine))
        } catch {
            return noJSON
        }
    }

    private static func failure(_ response: AppleHTTPResponse) -> ServerAPIResult {
        guard let code = ServerAPIErrorCode(errorBody: response.body) else {
            return .unavailable(.status(response.status))
        }
        return switch code.kind(status: response.status) {
        case .retryable: .unavailable(.code(code))
        case .notFound: .failed(.notFound(code))
        case .permanent: .failed(.rejected(code))
        }
    }
}

enum RetryAfter {
    /// Ms, if Apple names none.
    static let defaultPause: Int64 = 30_000
    /// A smaller number means seconds from now (RFC 9110 §10.2.3), as a proxy would write.
    private static let leastMoment: Int64 = 1_000_000_000

    /// Apple writes Unix time in milliseconds, not seconds from now.
    static func moment(_ header: String?, now: Timestamp) -> Timestamp {
        guard let number = header.flatMap({ Int64($0) }), number >= 0 else {
            return now.advanced(by: defaultPause)
        }
        let moment = number < leastMoment ? now.milliseconds + number * 1_000 : number
        let latest = now.milliseconds + TokenBucket.longestBlock
        return Timestamp(milliseconds: max(now.milliseconds, min(moment, latest)))
    }
}
