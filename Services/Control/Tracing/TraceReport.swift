import Contracts
import Program

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
        /// Of a step that a phone noted; what it says of an error cannot control the terminal.
        var step: String?
        var code: String?
        var domain: String?

        /// The type, and for people by which evidence a purchase is held; of a step, what the phone noted.
        var what: String {
            if let step {
                let error = [domain, code].compactMap(\.self).joined(separator: " ")
                return "phone: \(step)" + (error.isEmpty ? "" : " (\(error))")
            }
            return evidence.map { "\(type) (by \($0.rawValue))" } ?? type
        }

        init(_ address: PartitionAddress, _ entry: Trace.Entry) {
            time = entry.time.rfc3339
            service = address.service
            partition = address.partition
            type = entry.type
            id = entry.id
            causationid = entry.causationid
            evidence = entry.evidence
            step = entry.step?.step.rawValue
            code = entry.step?.code.map(LogText.escaped)
            domain = entry.step?.domain.map(LogText.escaped)
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
