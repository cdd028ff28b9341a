import Contracts

/// A story as the partitions tell it together, in the order in which it happened.
struct TraceReport: Equatable {
    struct Entry: Encodable, Hashable {
        var time: String
        var service: ServiceName
        var partition: Int
        var type: String
        var id: String
        var causationid: String?
    }

    let entries: [Entry]

    /// The story of what partitions answered; what two of them tell alike stands twice, once for each.
    init(_ told: [PartitionAddress: Set<Trace.Entry>]) {
        let all = told.flatMap { address, entries in
            entries.map { (address: address, entry: $0) }
        }
        let causes = Dictionary(
            all.compactMap { told in told.entry.causationid.map { (told.entry.id, $0) } },
            uniquingKeysWith: { first, _ in first }
        )
        let ranked = all.map { told in
            (rank: Self.depth(of: told.entry.id, causes), address: told.address, entry: told.entry)
        }
        entries = ranked.sorted { left, right in
            (left.entry.time, left.rank, left.address, left.entry.id)
                < (right.entry.time, right.rank, right.address, right.entry.id)
        }
        .map { Entry($0.address, $0.entry) }
    }

    /// How many messages led to this one; of two in the same millisecond the cause comes first.
    private static func depth(of identifier: String, _ causes: [String: String]) -> Int {
        var seen: Set<String> = [identifier]
        var current = identifier
        while let cause = causes[current], seen.insert(cause).inserted { current = cause }
        return seen.count
    }

    /// The story for people.
    var text: String {
        var table = TextTable(["TIME", "WHERE", "WHAT", "ID", "BECAUSE OF"])
        for entry in entries {
            let address = "/\(entry.service.rawValue)/\(entry.partition)"
            table.add([entry.time, address, entry.type, entry.id, entry.causationid ?? ""])
        }
        return table.text
    }
}

extension TraceReport.Entry {
    fileprivate init(_ address: PartitionAddress, _ entry: Trace.Entry) {
        self.init(
            time: entry.time.rfc3339,
            service: address.service,
            partition: address.partition,
            type: entry.type,
            id: entry.id,
            causationid: entry.causationid
        )
    }
}
