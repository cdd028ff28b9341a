package import Contracts

/// A page of what operators have done, of all partitions together, the newest first.
///
/// Every partition has a record of its own, whose numbers alone say what came first there; among the next ones of all
/// partitions the newest is taken.
package struct ActsPage: Sendable {
    /// Where a page begins: by each partition the number of the act that was shown last.
    package struct Place: Hashable, Sendable {
        /// Acts of these numbers, and newer ones, are on pages before.
        package var shown: [PartitionAddress: Int64]

        /// Before every act: the newest page.
        package init() { shown = [:] }

        /// Reads what `cursor` writes; nil for other text.
        package init?(cursor: String) {
            shown = [:]
            for part in cursor.split(separator: "_", omittingEmptySubsequences: false) {
                let words = part.split(separator: ".", omittingEmptySubsequences: false)
                guard words.count == 3, let address = PartitionAddress("/\(words[0])/\(words[1])"),
                    let number = Int64(words[2]), number > 0, shown[address] == nil
                else { return nil }
                shown[address] = number
            }
        }

        /// As one word of a URL or a command: `orders.1.7_receipts.0.120`.
        package var cursor: String {
            let sorted = shown.sorted { $0.key < $1.key }
            return sorted.map { "\($0.key.service.rawValue).\($0.key.partition).\($0.value)" }
                .joined(separator: "_")
        }
    }

    package let rows: [(at: PartitionAddress, act: Act)]
    /// Where the next page begins; nil of the last one, unless a partition did not answer.
    package let next: Place?

    /// The first `limit` of what the partitions have answered, each with so many of its newest acts after a place.
    ///
    /// Of a partition that did not answer, a later page has what this one misses.
    package init(
        _ records: [PartitionAddress: [Act]],
        after place: Place,
        limit: Int,
        isMissing: Bool = false
    ) {
        var (rest, place) = (records.mapValues { $0[...] }, place)
        var rows: [(at: PartitionAddress, act: Act)] = []
        while rows.count < limit {
            let heads = rest.compactMap { address, acts in acts.first.map { (at: address, act: $0) } }
            guard let newest = heads.max(by: { ($0.act.time, $0.at) < ($1.act.time, $1.at) }) else { break }
            rows.append(newest)
            rest[newest.at]?.removeFirst()
            place.shown[newest.at] = newest.act.number
        }
        let hasMore = rest.values.contains { !$0.isEmpty } || records.values.contains { $0.count >= limit }
        let isLast = isMissing ? place.shown.isEmpty : !hasMore || rows.isEmpty
        (self.rows, next) = (rows, isLast ? nil : place)
    }
}
