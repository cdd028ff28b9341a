import Contracts

/// Asks the partitions of a group; tests use scripted answers.
protocol PartitionClient: Sendable {
    /// Partitions of each service.
    var partitions: Int { get }

    /// The timeout is in ms; a failure is a `CommandFailure` for the operator.
    func ask<Question: RequestContract>(
        _ question: Question,
        of address: PartitionAddress,
        within milliseconds: Int64
    ) async throws -> Question.Reply

    func pause() async throws
}

extension PartitionClient {
    /// Asks one partition for something in its own store.
    func ask<Question: RequestContract>(
        _ question: Question,
        of address: PartitionAddress
    ) async throws -> Question.Reply {
        try await ask(question, of: address, within: PartitionInquiry.patience)
    }

    /// What `ask` gets from each of these partitions, asked in parallel; one failure is that of all.
    func answers<Reply: Sendable>(
        of addresses: [PartitionAddress],
        _ ask: @escaping @Sendable (PartitionAddress) async throws(CommandFailure) -> Reply
    ) async throws(CommandFailure) -> [(address: PartitionAddress, reply: Reply)] {
        var found: [(address: PartitionAddress, reply: Reply)] = []
        for (address, result) in await results(of: addresses, ask) {
            found.append((address, try result.get()))
        }
        return found
    }

    /// What `ask` gets from each of these partitions, asked in parallel.
    func results<Reply: Sendable>(
        of addresses: [PartitionAddress],
        _ ask: @escaping @Sendable (PartitionAddress) async throws(CommandFailure) -> Reply
    ) async -> [(PartitionAddress, Result<Reply, CommandFailure>)] {
        typealias Answer = (PartitionAddress, Result<Reply, CommandFailure>)
        return await withTaskGroup(of: Answer.self) { tasks in
            for address in addresses {
                tasks.addTask {
                    do throws(CommandFailure) {
                        return (address, .success(try await ask(address)))
                    } catch {
                        return (address, .failure(error))
                    }
                }
            }
            return await tasks.reduce(into: [Answer]()) { $0.append($1) }
        }
    }
}

extension PartitionInquiry: PartitionClient {
    func pause() async throws { try await Task.sleep(for: PollLimit.pause) }
}
