import Contracts

/// What goes with a former store, for the operator.
struct RestoreReport {
    let store: BackupManifest.Store
    let lost: LostRows.Finding

    /// None when nothing of the service can be lost.
    var lines: [String] {
        let details = details
        guard !details.isEmpty else { return [] }
        return ["\(store.address) goes back to \(store.copiedAt.rfc3339):"] + details
    }

    private var details: [String] {
        switch lost {
        case .groups(let groups): return groups.flatMap(Self.lines(of:))
        case .unknown(let reason):
            let names = LostKind.all(of: store.service).filter { !$0.comesBack }.map(\.name)
            guard !names.isEmpty else { return [] }
            let what = names.joined(separator: " and ")
            return ["  \(what) that are gone since then: all; which ones cannot be known: \(reason)"]
        }
    }

    private static func lines(of group: LostRows.Group) -> [String] {
        let count = group.rows.isEmpty ? "none" : "\(group.rows.count)"
        guard !group.kind.comesBack else {
            return ["  \(group.kind.name) that come back when phones send them again: \(count)"]
        }
        return ["  \(group.kind.name) that are gone since then: \(count)"] + group.rows.map { "    \($0)" }
    }
}
