import Contracts
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
