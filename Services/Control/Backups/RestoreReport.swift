import Contracts

/// What became of one store, for the operator.
struct RestoreReport {
    let store: BackupManifest.Store
    let lost: LostRows.Finding
    /// Where the store is now that lay in its place; nil when there was none.
    let former: String?

    var lines: [String] {
        let time = store.copiedAt.rfc3339
        let kept = former.map { "; the former store is \($0)" } ?? ""
        return ["\(store.address) is as it was at \(time)\(kept)"] + gone(since: time)
    }

    private func gone(since time: String) -> [String] {
        let what = store.service == .orders ? "unpaid orders" : "spends and credits"
        switch lost {
        case .nothing: return []
        case .rows(let rows) where rows.isEmpty: return ["  gone since then: no \(what)"]
        case .rows(let rows): return ["  gone since then: \(rows.count) \(what)"] + rows.map { "    \($0)" }
        case .unknown(let reason):
            return ["  gone since then: all \(what); which ones cannot be known: \(reason)"]
        }
    }
}
