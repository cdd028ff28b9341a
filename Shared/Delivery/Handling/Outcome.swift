/// The result of an event; none is ever dropped.
package enum Outcome: Equatable, Sendable {
    /// Its effect, possibly none, is part of the transaction.
    case applied
    /// Retries cannot help: it goes to the dead letters with this reason, and what its handler wrote stays.
    case deadLettered(String)
}
