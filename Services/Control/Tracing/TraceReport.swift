import Contracts

/// Events of all partitions in the order of time.
struct TraceReport: Equatable {
    struct Entry: Encodable, Hashable {
        var time: String
        var service: ServiceName
        var partition: Int
        var type: String
        var id: String
        var causationid: String?
        var evidence: HolderEvidence?

        /// The type, and for people by which evidence a purchase is held.
        var what: String { evidence.map { "\(type) (by \($0.rawValue))" } ?? type }

        init(_ address: PartitionAddress, _ entry: Trace.Entry) {
            time = entry.time.rfc3339
            service = address.service
            partition = address.partition
            type = entry.type
            id = entry.id
            causationid = entry.causationid
            evidence = entry.evidence
        }
    }

    let entries: [Entry]

    init(_ answers: [PartitionAddress: Set<Trace.Entry>]) {
        let all = answers.flatMap { address, entries in
            entries.map { (address: address, entry: $0) }
        }
        let pairs = all.compactMap { message in message.entry.causationid.map { (message.entry.id, $0) } }
        let causes = Dictionary(pairs) { first, _ in first }
        let ranked = all.map { address, entry in
            let rank = Self.depth(of: entry.id, causes)
            return (key: (entry.time, rank, address, entry.id), entry: Entry(address, entry))
        }
        entries = ranked.sorted { $0.key < $1.key }.map(\.entry)
    }

    /// The number of preceding messages; orders a cause before its effect within one millisecond.
    private static func depth(of identifier: String, _ causes: [String: String]) -> Int {
        var seen: Set<String> = [identifier]
        var current = identifier
        while let cause = causes[current], seen.insert(cause).inserted { current = cause }
        return seen.count
    }

    var text: String {
        let columns: [TextTable.Column<Entry>] = [
            ("TIME", \.time), ("WHERE", { "/\($0.service.rawValue)/\($0.partition)" }), ("WHAT", \.what),
            ("ID", \.id), ("BECAUSE OF", { $0.causationid ?? "" }),
        ]
        return TextTable(entries, columns: columns).text
    }
}
