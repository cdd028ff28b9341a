import Contracts
import Foundation

/// What an HTTP answer of the App Store Server API means: a pure reading of it.
///
/// | HTTP | body | means |
/// |---|---|---|
/// | 2xx | the JSON documented | the answer |
/// | 2xx | nothing, and nothing is documented | the answer |
/// | 2xx | JSON of another shape | `malformedAnswer` |
/// | 2xx | nothing, HTML, rubbish | `unavailable`, try again |
/// | 401 | whatever | `unauthorized` |
/// | 429 | whatever | `rateLimited` until `Retry-After` |
/// | others | a code of Apple's, retryable or with 5xx | `unavailable`, try again |
/// | others | a final code of Apple's, 404xxxx | `notFound` |
/// | others | a final code of Apple's | `rejected` |
/// | others | no code | not Apple's word: `unavailable`, try again |
enum AnswerReading<Answer: Decodable & Sendable> {
    /// What Apple answered, and what it means.
    case answer(Answer)
    /// No need to ask again.
    case failed(AppStoreServerError)
    /// Apple asks for a pause.
    case rateLimited(until: Timestamp)
    /// Worth asking again.
    case unavailable(Unavailability)

    init(_ answer: AppleAnswer, now: Timestamp) {
        switch answer.status {
        case 200...299: self = Self.success(answer)
        case 401: self = .failed(.unauthorized)
        case 429: self = .rateLimited(until: RetryAfter.moment(answer.retryAfter, now: now))
        default: self = Self.failure(answer)
        }
    }

    private static func success(_ answer: AppleAnswer) -> AnswerReading {
        if let nothing = NoAnswer() as? Answer, answer.body.isEmpty { return .answer(nothing) }
        guard JSONBody.looksLikeAnObject(answer.body) else {
            return .unavailable(.noJSON(status: answer.status))
        }
        do {
            return .answer(try JSONDecoder().decode(Answer.self, from: Data(answer.body)))
        } catch let error as DecodingError {
            guard case .dataCorrupted(let context) = error, context.codingPath.isEmpty else {
                return .failed(.malformedAnswer(error.oneLine))
            }
            return .unavailable(.noJSON(status: answer.status))
        } catch {
            return .unavailable(.noJSON(status: answer.status))
        }
    }

    private static func failure(_ answer: AppleAnswer) -> AnswerReading {
        guard let code = ServerAPIErrorCode(errorBody: answer.body) else {
            return .unavailable(.status(answer.status))
        }
        switch code.advice(status: answer.status) {
        case .retry: return .unavailable(.code(code))
        case .notFound: return .failed(.notFound(code))
        case .final: return .failed(.rejected(code))
        }
    }
}

/// A first look at what claims to be JSON.
enum JSONBody {
    /// Whether the first byte that is no white space opens an object.
    static func looksLikeAnObject(_ body: [UInt8]) -> Bool {
        let whiteSpace: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
        return body.first { !whiteSpace.contains($0) } == UInt8(ascii: "{")
    }
}

/// Apple's `Retry-After`.
enum RetryAfter {
    /// The pause where Apple names none, in ms.
    static let defaultPause: Int64 = 30_000
    /// Below this the number is HTTP's own: seconds from now (RFC 9110 §10.2.3), as a proxy would write.
    private static let leastMoment: Int64 = 1_000_000_000

    /// When to ask again: Apple writes the Unix time in milliseconds, not seconds from now.
    static func moment(_ header: String?, now: Timestamp) -> Timestamp {
        guard let number = header.flatMap({ Int64($0) }), number >= 0 else {
            return now.advanced(by: defaultPause)
        }
        let moment = number < leastMoment ? now.milliseconds + number * 1_000 : number
        let latest = now.milliseconds + TokenBucket.longestBlock
        return Timestamp(milliseconds: max(now.milliseconds, min(moment, latest)))
    }
}
