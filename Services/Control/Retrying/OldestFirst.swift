import Contracts
import Delivery

/// Decides about what all partitions list, the oldest first, one after the other.
struct OldestFirst<List: RequestContract, Item> where List.Reply == [Item] {
    let group: any PartitionClient
    let list: List
    /// By which they are sorted: the time, and a name.
    let age: (Item) -> (Timestamp, String)

    /// Of how many it was decided, and who did not answer.
    struct Report: Equatable {
        var decided = 0
        var missed = MissedPartitions()
    }

    /// Asks each one's partition for the decision; one about which somebody else has decided meanwhile is passed over,
    /// and so is one that waits behind another.
    func carryOut<Decision: RequestContract>(
        where isChosen: (Item) -> Bool,
        _ decision: (Item) -> Decision
    ) async throws -> Report {
        var report = Report()
        var listed: [(address: PartitionAddress, item: Item)] = []
        for service in ServiceName.allCases {
            for partition in 0..<group.partitions {
                let address = PartitionAddress(service, partition)
                do {
                    listed += try await group.ask(list, of: address).map { (address, $0) }
                } catch let failure as CommandFailure {
                    report.missed.note(address, failure)
                }
            }
        }
        let chosen = listed.filter { isChosen($0.item) }.sorted { age($0.item) < age($1.item) }
        for (address, item) in chosen where report.missed.failures[address] == nil {
            do {
                _ = try await group.ask(decision(item), of: address)
                report.decided += 1
            } catch let failure as CommandFailure where failure.isPassedOver {
                continue
            } catch let failure as CommandFailure {
                report.missed.note(address, failure)
            }
        }
        return report
    }
}

extension CommandFailure {
    fileprivate var isPassedOver: Bool { refusal?.code == .notFound || refusal?.code == .conflict }
}
