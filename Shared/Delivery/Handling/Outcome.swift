package import Contracts

/// The result of an event; none is ever dropped.
package enum Outcome: Equatable, Sendable {
    /// Its effect, possibly none, is part of the transaction.
    case applied
    /// Retries cannot help: it goes to the dead letters with this reason, and what its handler wrote stays.
    case parked(String)
}

/// The result of a request.
package enum RequestOutcome<Reply: Sendable>: Sendable {
    case reply(Reply)
    case refused(RequestRefusal)
    /// Undecided: the handler runs again after `wake(key)`, and `otherwise` is the answer at the deadline.
    case wait(on: String, until: Timestamp, otherwise: Reply)
}

/// Why a request is refused.
///
/// What its handler has written and sent is committed all the same, such as the count of a notification's deliveries.
package struct RequestRefusal: Error, Codable, Equatable, Sendable {
    /// The kinds of refusal, each with one meaning at the edge.
    package enum Code: String, Codable, Sendable, CaseIterable {
        /// It does not exist, or belongs to another app. HTTP 404.
        case notFound
        case conflict
        case invalid
        /// The owner is overloaded; nothing was accepted, try again. HTTP 503.
        case busy
        /// The partition does not own the key: requester and owner disagree on the number of partitions. HTTP 503.
        case misdirected
        /// Unknown request type. HTTP 501.
        case unknown
        /// An event that went to the dead letters; on standard streams only.
        case parked
        /// An event that will be tried again; on standard streams only.
        case held
    }

    package var code: Code
    package var detail: String
    package var field: String?

    package init(_ code: Code, _ detail: String, field: String? = nil) {
        self.code = code
        self.detail = detail
        self.field = field
    }
}
