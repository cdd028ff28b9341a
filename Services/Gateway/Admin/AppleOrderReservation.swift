import Contracts
import Crypto
import Domain
import HTTPTypes

/// Keeps an order of Apple's for one proposal while it is looked for in all partitions and then written in one.
///
/// Two proposals of one number for two buyers, made in the same moment, would both find it free: their buyers are in
/// different partitions. The partition of the number's own hash lets one of them through at a time. It keeps what it
/// counts of operators, and a number is counted like an act of an operator of its own. What a gateway that died has
/// left behind, its operator ends by repeating the request, or midnight (UTC).
struct AppleOrderReservation: Sendable {
    private static let millisecondsOfDay: Int64 = 24 * 60 * 60 * 1_000

    let count: OperatorCountV1

    init(of order: AppleOrderID, for proposal: CompensationProposeV1, at now: Timestamp) {
        let digest = SHA256.hash(data: Array("\(proposal.bundleId)\n\(order)".utf8))
        let random = digest.prefix(6).reduce(0) { $0 << 8 | UInt64($1) }
        count = OperatorCountV1(
            operatorId: OperatorID(random: random),
            actId: "order \(order) \(proposal.bundleId) \(now.milliseconds / Self.millisecondsOfDay)",
            proposalId: proposal.proposalId,
            limit: Limits.operatorActsADay
        )
    }

    /// Does `act` while no other proposal can have the number.
    func held<Answer>(
        in partitions: Partitions,
        _ act: () async throws(Problem) -> Answer
    ) async throws(Problem) -> Answer {
        try await reserve(in: partitions)
        var free = count
        free.isReturned = true
        let answer: Answer
        do throws(Problem) {
            answer = try await act()
        } catch {
            // Where nobody answers it may still be written: whoever repeats the request frees the number.
            if error.status.kind == .clientError { _ = try await partitions.ask(free) }
            throw error
        }
        _ = try await partitions.ask(free)
        return answer
    }

    private func reserve(in partitions: Partitions) async throws(Problem) {
        do throws(Problem) {
            _ = try await partitions.ask(count)
        } catch {
            guard error.status == .conflict else { throw error }
            let text = "Another compensation on this order of Apple's is being proposed."
            throw Problem(
                RequestRefusal(.conflict, text, field: "appleOrderId", reason: "compensated")
            )
        }
    }
}
