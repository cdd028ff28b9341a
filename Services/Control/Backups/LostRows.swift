import Delivery

/// What the former store of a partition knows, and neither its backup nor another service.
struct LostRows {
    struct Group: Equatable {
        let kind: LostKind
        let rows: [String]
    }

    enum Finding: Equatable {
        /// A group for each kind; none for a service that knows nothing alone.
        case groups([Group])
        /// Why the former store cannot say it.
        case unknown(String)
    }

    let store: BackupManifest.Store
    /// Where the former store is; nil when there is none.
    let former: String?
    /// Where the backup's store is.
    let staged: String

    func found() -> Finding {
        let kinds = LostKind.all(of: store.service)
        guard !kinds.isEmpty else { return .groups([]) }
        guard let former else { return .unknown("there is no former store") }
        do {
            return try compare(former, kinds)
        } catch {
            return .unknown("the former store cannot be read: \(error)")
        }
    }

    /// Compares all rows: their times may be those of a clock that was wrong.
    private func compare(_ path: String, _ kinds: [LostKind]) throws -> Finding {
        let former = try OfflineStore(path: path, of: store.identity)
        let links = try former.links()
        let rows = try kinds.map { try former.texts($0.query) }
        try former.close()
        let known = store.contents.links
        guard !known.isEmpty, known.allSatisfy({ links[$0.key] == $0.value }) else {
            return .unknown("the store that lay there does not go on from the backup")
        }
        let backup = try OfflineStore(path: staged, of: store.identity)
        let kept = try kinds.map { try backup.texts($0.query) }
        try backup.close()
        let lost = kinds.indices.map { Group(kind: kinds[$0], rows: rows[$0].subtracting(kept[$0]).sorted()) }
        return .groups(lost)
    }
}
