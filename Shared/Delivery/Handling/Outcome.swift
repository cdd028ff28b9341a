package import Contracts

/// What became of an event; none is ever dropped.
package enum Outcome: Equatable, Sendable {
    /// Its effect, possibly none, is part of the transaction.
    case applied
    /// Nothing can be done with it by trying again: it goes to the dead letters with this reason.
    case parked(String)
}

/// What the one who asked is told.
package enum RequestOutcome<Reply: Sendable>: Sendable {
    case reply(Reply)
    case refused(RequestRefusal)
    /// Not decided yet: the handler is asked again when `transaction.wake(key)` was called, and `otherwise` is
    /// the answer when the request's deadline comes first.
    case wait(on: String, until: Timestamp, otherwise: Reply)
}

/// Why a request has no effect.
package struct RequestRefusal: Error, Codable, Equatable, Sendable {
    /// The kinds of refusal, each with one meaning at the edge.
    package enum Code: String, Codable, Sendable, CaseIterable {
        /// What was asked for does not exist, or belongs to another app. HTTP 404.
        case notFound
        /// It contradicts what is known: the same key with other content, a state that does not allow it. HTTP 409.
        case conflict
        /// A value is not acceptable. HTTP 422.
        case invalid
        /// The owner has too much in hand; nothing was accepted, try again. HTTP 503.
        case busy
        /// The partition does not own the key: asker and owner count the partitions differently. HTTP 503.
        case misdirected
        /// The program does not know this request. HTTP 501.
        case unknown
        /// An event that went to the dead letters; on standard streams only.
        case parked
        /// An event that will be tried again; on standard streams only.
        case held
    }

    package var code: Code
    /// One sentence for the one who asked.
    package var detail: String
    /// The member of the request that is wrong, where there is one.
    package var field: String?

    package init(_ code: Code, _ detail: String, field: String? = nil) {
        self.code = code
        self.detail = detail
        self.field = field
    }
}
