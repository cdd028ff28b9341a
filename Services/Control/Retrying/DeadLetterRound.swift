import Contracts
import Delivery

/// Hands dead letters of all partitions to their handlers again.
///
/// What fails once more is a letter with a new id, which this round does not know.
struct DeadLetterRound {
    let group: any PartitionClient
    /// Of which type the letters are; nil of any.
    var type: String?

    func carryOut() async throws -> OldestFirst<DeadLettersListV1, DeadLetter>.Report {
        try await OldestFirst(group: group, list: DeadLettersListV1()) { ($0.time, $0.letterId) }
            .carryOut(where: { type == nil || $0.type == type }) {
                DeadLetterRetryV1(letterId: $0.letterId)
            }
    }

    static func text(of retried: Int) -> String {
        retried == 0
            ? "no dead letters"
            : "\(retried.counted("dead letter")) handled again; see `counterfoil dead list` for what failed again"
    }
}
