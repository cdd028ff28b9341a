import Contracts
import Delivery

/// Hands dead letters of all partitions to their handlers again, the oldest first, one after the other.
///
/// What fails once more is a letter with a new id, which this round does not know.
struct DeadLetterRound {
    let group: any PartitionClient
    /// Of which type the letters are; nil of any.
    var type: String?

    /// What was handed on, and who did not answer.
    struct Report: Equatable {
        var retried = 0
        var missed = MissedPartitions()

        var text: String {
            retried == 0
                ? "no dead letters"
                : "\(retried.counted("dead letter")) handled again; see `counterfoil dead list` for what failed again"
        }
    }

    func carryOut() async throws -> Report {
        var report = Report()
        var letters: [DeadCommand.Row] = []
        for service in ServiceName.allCases {
            for partition in 0..<group.partitions {
                let address = PartitionAddress(service, partition)
                do {
                    letters += try await group.ask(DeadLettersListV1(), of: address)
                        .map { DeadCommand.Row(at: address, letter: $0) }
                } catch let failure as CommandFailure {
                    report.missed.note(address, failure)
                }
            }
        }
        let chosen = letters.filter { type == nil || $0.letter.type == type }
            .sorted { ($0.letter.time, $0.letter.letterId) < ($1.letter.time, $1.letter.letterId) }
        for row in chosen where report.missed.failures[row.at] == nil {
            do {
                _ = try await group.ask(DeadLetterRetryV1(letterId: row.letter.letterId), of: row.at)
                report.retried += 1
            } catch let failure as CommandFailure where failure.refusal?.code == .notFound {
                // Somebody else has decided about it meanwhile.
                continue
            } catch let failure as CommandFailure {
                report.missed.note(row.at, failure)
            }
        }
        return report
    }
}
