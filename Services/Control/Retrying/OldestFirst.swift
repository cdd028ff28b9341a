import Contracts
import Delivery

/// Decides about what all partitions list, the oldest first, one after the other.
struct OldestFirst<List: RequestContract, Item> where List.Reply == [Item] {
    let group: any PartitionClient
    let list: List
    /// By which they are sorted: the time, and a name.
    let age: (Item) -> (Timestamp, String)

    /// Of how many it was decided, and who did not answer, or failed.
    struct Report: Equatable {
        var decided = 0
        /// How many were passed over that wait behind another one.
        var passed = 0
        private(set) var missed = MissedPartitions()
        /// What each partition that was asked no further has answered instead, such as a refusal.
        private(set) var failed: [PartitionAddress: CommandFailure] = [:]

        var isComplete: Bool { missed.isEmpty && failed.isEmpty }

        /// Refuses an incomplete result: throws a `CommandFailure` that names who did not answer, with exit code 3,
        /// or says what one has answered instead.
        func check(_ what: String) throws {
            try missed.check(what)
            guard let failure = failed.min(by: { $0.key < $1.key })?.value else { return }
            let problem = "\(what) is not complete: \(failure.description)"
            throw CommandFailure(description: problem, refusal: failure.refusal)
        }

        fileprivate func isAsked(_ address: PartitionAddress) -> Bool {
            missed.failures[address] == nil && failed[address] == nil
        }

        fileprivate mutating func note(_ address: PartitionAddress, _ failure: CommandFailure) {
            if failure.isSilence { missed.note(address, failure) } else { failed[address] = failure }
        }
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
                    report.note(address, failure)
                }
            }
        }
        let chosen = listed.filter { isChosen($0.item) }.sorted { age($0.item) < age($1.item) }
        for (address, item) in chosen where report.isAsked(address) {
            do {
                _ = try await group.ask(decision(item), of: address)
                report.decided += 1
            } catch let failure as CommandFailure {
                switch failure.refusal?.code {
                case .notFound: continue
                case .conflict: report.passed += 1
                case _: report.note(address, failure)
                }
            }
        }
        return report
    }
}
