import Contracts
import Delivery
import Domain

/// What partitions have beside the rows that they list, which are the oldest.
struct ListRest {
    let group: any PartitionClient

    /// A line for each partition that has more than it lists; `rest` says how many by its status.
    func lines<Reply: Collection & Sendable>(
        beside found: [(address: PartitionAddress, reply: Reply)],
        _ rest: (PartitionStatus, Reply) -> Int
    ) async throws -> [String] {
        var lines: [String] = []
        for (address, reply) in found where reply.count >= Limits.listedRows {
            let more = rest(try await group.ask(PartitionStatusV1(), of: address), reply)
            if more > 0 { lines.append("and \(more) more at \(address)") }
        }
        return lines
    }
}
