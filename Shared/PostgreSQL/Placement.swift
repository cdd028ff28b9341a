import Database

/// What stands around an entry that was not taken.
struct Placement: Hashable {
    /// What is at the entry's position.
    enum Occupant: Int64, Hashable, CaseIterable {
        case none, another, same
    }

    let head: LogHead
    /// The epoch of the entry before; nil if that is gone, or not there yet.
    let previousEpoch: Int64?
    let occupant: Occupant

    /// What it means for the entry; nil if nothing stands in its way any more.
    ///
    /// The first line that fits counts.
    ///
    /// | head | at the position | the entry before | |
    /// |---|---|---|---|
    /// | ends before the one in front of it | | | `behind` |
    /// | | the same | | nil: it is to be counted |
    /// | | another | | `taken` |
    /// | | none | of another epoch, or gone | `taken` |
    /// | | none | fits | nil |
    func outcome(of entry: LogEntry) -> AppendOutcome? {
        if head.position < entry.position - 1 { return .behind(head) }
        switch occupant {
        case .same: return nil
        case .another: return .taken
        case .none: return previousEpoch == entry.formerEpoch ? nil : .taken
        }
    }
}
