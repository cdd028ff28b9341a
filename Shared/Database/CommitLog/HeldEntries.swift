/// The entries that an owner has appended last, from which it mends a log that has lost them.
///
/// | the log ends | what is appended again |
/// |---|---|
/// | at an entry that is held, of its epoch | those behind it |
/// | directly before the first that is held, which follows it | all |
/// | at an entry that is held, of another epoch | nil: another owner has been there |
/// | further below | nil: what is between is lost here |
struct HeldEntries {
    /// Of all entries that are held; the newest one is held whatever it takes.
    static let maximumBytes = 32 << 20

    private var entries: [LogEntry] = []
    private var bytes = 0
    private let limit: Int

    init(maximumBytes: Int = HeldEntries.maximumBytes) { limit = maximumBytes }

    /// Holds an entry that the log has acknowledged.
    mutating func hold(_ entry: LogEntry) {
        if let last = entries.last, !entry.follows(last.head) { (entries, bytes) = ([], 0) }
        entries.append(entry)
        bytes += entry.bytes.count
        guard bytes > limit else { return }
        // Half of them at once, so that an entry is moved once and not at every append.
        var excess = 0
        while bytes > limit / 2, excess < entries.count - 1 {
            bytes -= entries[excess].bytes.count
            excess += 1
        }
        entries.removeFirst(excess)
    }

    /// What a log that ends at `head` lacks, in order.
    func missing(after head: LogHead) -> [LogEntry]? {
        guard let first = entries.first else { return nil }
        if first.follows(head) { return entries }
        guard let index = entries.firstIndex(where: { $0.head == head }) else { return nil }
        return Array(entries[(index + 1)...])
    }
}
