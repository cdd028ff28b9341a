import Contracts
import FoundationEssentials

protocol PartitionCaller: Sendable {
    /// Repeats the request, which is harmless, until a reply or the timeout; returns the reply's JSON undecoded.
    func ask(
        _ request: some RequestContract,
        of partition: PartitionAddress,
        subject: String,
        within milliseconds: Int64
    ) async throws(Problem) -> Data
}
