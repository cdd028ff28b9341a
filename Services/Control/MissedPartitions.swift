import Contracts

/// Partitions that a query could not reach; its result may be incomplete.
struct MissedPartitions: Equatable {
    private(set) var failures: [PartitionAddress: String] = [:]

    var isEmpty: Bool { failures.isEmpty }

    mutating func note(_ address: PartitionAddress, _ failure: CommandFailure) {
        failures[address] = failure.description
    }

    mutating func merge(_ other: MissedPartitions) { failures.merge(other.failures) { first, _ in first } }

    /// Refuses an incomplete result: throws a `CommandFailure` with exit code 3 that names the partitions.
    func check(_ what: String = "what is shown") throws {
        if let failure = failure(what) { throw failure }
    }

    func failure(_ what: String) -> CommandFailure? {
        guard let first = failures.min(by: { $0.key < $1.key }) else { return nil }
        let services = Dictionary(grouping: failures.keys.sorted(), by: \.service)
        let names = ServiceName.allCases.compactMap { service in
            services[service].map {
                "/\(service.rawValue)/" + $0.map { String($0.partition) }.joined(separator: ",")
            }
        }
        let missed = names.joined(separator: " ")
        return CommandFailure(
            description: "\(what) is not complete: \(missed) did not answer (\(first.value))",
            exitCode: CommandFailure.incompleteCode,
            isSilence: true
        )
    }
}

typealias PartitionAnswers<Reply> = [PartitionAddress: Result<Reply, CommandFailure>]

extension Dictionary where Key == PartitionAddress {
    func found<Reply>() -> [(address: PartitionAddress, reply: Reply)]
    where Value == Result<Reply, CommandFailure> {
        sorted { $0.key < $1.key }.compactMap { address, answer in
            if case .success(let reply) = answer { (address, reply) } else { nil }
        }
    }

    func missed<Reply>() -> MissedPartitions where Value == Result<Reply, CommandFailure> {
        var missed = MissedPartitions()
        for case (let address, .failure(let failure)) in self { missed.note(address, failure) }
        return missed
    }
}
