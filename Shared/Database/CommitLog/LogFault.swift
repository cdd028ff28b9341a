/// A fault of a commit log outside of `append`.
package enum LogFault: Error, Hashable, Sendable {
    /// No answer, or none that says what was done; the same call may be repeated.
    case unreachable(String)
    /// The entries below `first` are gone: a reader begins with a snapshot.
    case pruned(first: Int64)
    /// What was read is no log of this program: of another version, or damaged.
    case unreadable(String)
    /// The log forbids the call, and will forbid it again.
    case refused(String)
}
