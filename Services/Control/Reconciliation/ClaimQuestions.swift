import Contracts
import Delivery
import Domain

/// The questions about the claims of transactions: as few as there may be, each for the partition that knows.
struct ClaimQuestions: Equatable {
    /// Most transactions in one question.
    static let maximumCount = 100

    /// A question and whom it is for.
    struct Question: Equatable {
        let address: PartitionAddress
        let request: ClaimsGetV1
    }

    private struct Group: Hashable {
        let address: PartitionAddress
        let bundleID: BundleID
        let environment: Environment
    }

    let all: [Question]

    /// The questions about these transactions.
    init(_ transactions: some Sequence<FoundTransaction>, partitions: Int) {
        let groups = Dictionary(grouping: transactions) { transaction in
            Group(
                address: transaction.address(partitions: partitions),
                bundleID: transaction.key.bundleID,
                environment: transaction.key.environment
            )
        }
        all = groups.sorted { $0.key.address < $1.key.address }.flatMap { group, members in
            Self.questions(group, Set(members.flatMap(\.keys)).sorted().map(\.transactionID))
        }
    }

    private static func questions(_ group: Group, _ identifiers: [TransactionID]) -> [Question] {
        stride(from: 0, to: identifiers.count, by: maximumCount).map { start in
            let part = identifiers[start..<min(start + maximumCount, identifiers.count)]
            let request = ClaimsGetV1(
                bundleId: group.bundleID,
                environment: group.environment,
                transactionIds: Array(part)
            )
            return Question(address: group.address, request: request)
        }
    }
}

extension FoundTransaction {
    /// The partition that has its claim.
    func address(partitions: Int) -> PartitionAddress {
        PartitionKey.chain(originalTransactionID, of: key.bundleID).address(in: .receipts, of: partitions)
    }
}

extension GroupConversation {
    /// How the claims of transactions stand, each by the partition that knows.
    ///
    /// - Throws: `CommandFailure` in words for the operator.
    func standings(
        of transactions: [FoundTransaction]
    ) async throws -> [FoundTransaction.Key: Standing] {
        var claims: [FoundTransaction.Key: ClaimsV1.Claim] = [:]
        for question in ClaimQuestions(transactions, partitions: partitions).all {
            let request = question.request
            for claim in try await ask(request, of: question.address).claims {
                let key = FoundTransaction.Key(
                    bundleID: request.bundleId,
                    environment: request.environment,
                    transactionID: claim.transactionId
                )
                claims[key] = claim
            }
        }
        let standings = transactions.map { found in
            (found.key, Standing(found.keys.lazy.compactMap { claims[$0] }.first))
        }
        return Dictionary(standings, uniquingKeysWith: { first, _ in first })
    }
}
