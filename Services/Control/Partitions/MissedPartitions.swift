import Contracts
import Delivery

/// Partitions that a query could not reach; its result may be incomplete.
struct MissedPartitions: Equatable {
    private(set) var failures: [PartitionAddress: CommandFailure] = [:]

    var isEmpty: Bool { failures.isEmpty }

    mutating func note(_ address: PartitionAddress, _ failure: CommandFailure) { failures[address] = failure }

    /// Notes a failure that names the partition that was missed.
    mutating func note(_ failure: CommandFailure) {
        if let address = failure.missed { note(address, failure) }
    }

    mutating func merge(_ other: MissedPartitions) { failures.merge(other.failures) { first, _ in first } }

    func without(_ code: RequestRefusal.Code) -> MissedPartitions {
        MissedPartitions(failures: failures.filter { $0.value.refusal?.code != code })
    }

    /// Refuses an incomplete result: throws a `CommandFailure` with exit code 3 that names the partitions.
    func check(_ what: String) throws {
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
        let problem = "\(what) is not complete: \(missed) did not answer (\(first.value.description))"
        return CommandFailure(description: problem, exitCode: CommandFailure.incompleteCode, isSilence: true)
    }
}
