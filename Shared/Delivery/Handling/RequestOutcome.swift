package import Contracts

/// The result of a request.
package enum RequestOutcome<Reply: Sendable>: Sendable {
    case reply(Reply)
    case refused(RequestRefusal)
    /// Undecided: the handler runs again after `wake(key)`, and `otherwise` is the answer at the deadline.
    case wait(on: String, until: Timestamp, otherwise: Reply)

    /// The result of a handler; a `RequestRefusal` that it throws refuses the request.
    package init(_ handle: () throws -> Self) throws {
        do { self = try handle() } catch let refusal as RequestRefusal { self = .refused(refusal) }
    }
}
