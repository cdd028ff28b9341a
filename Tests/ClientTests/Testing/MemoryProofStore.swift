public import CounterfoilClient

/// A store for tests and previews: it forgets everything when the process ends.
public actor MemoryProofStore: ProofStore {
    private var records: [String: KeptRecord] = [:]

    /// An empty store.
    public init() {}

    /// All records, in the order of their keys.
    public func load() -> [KeptRecord] { records.keys.sorted().compactMap { records[$0] } }

    /// Keeps it for the life of the process; one with the same key is replaced.
    public func keep(_ record: KeptRecord) { records[record.key] = record }

    /// Forgets it; one that is not there is no error.
    public func forget(key: String) { records[key] = nil }
}
