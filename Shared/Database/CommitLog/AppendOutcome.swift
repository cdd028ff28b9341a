/// What became of an entry that was appended.
package enum AppendOutcome: Hashable, Sendable {
    /// The entry is in the log for good; also where an earlier attempt had put it there.
    case appended
    /// Another entry is at its position, or the one before is of another epoch: who asked is the owner no more.
    case taken
    /// The log ends before the position in front of the entry: it has lost entries that it had acknowledged.
    case behind(LogHead)
    /// The entry may be in the log or not, also later. Only the same entry again finds out.
    case unknown(String)
}
