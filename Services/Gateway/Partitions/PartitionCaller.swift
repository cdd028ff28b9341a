import Contracts
import Delivery
import Foundation

protocol PartitionCaller: Sendable {
    /// Repeats the request, which is harmless, until a reply or the timeout; returns the reply's JSON undecoded.
    func ask(
        _ request: some RequestContract,
        of partition: PartitionAddress,
        subject: String,
        within milliseconds: Int64
    ) async throws(Problem) -> Data
}

struct SocketCaller: PartitionCaller {
    static let source = "/gateway"

    let client: RequestClient

    func ask(
        _ request: some RequestContract,
        of partition: PartitionAddress,
        subject: String,
        within milliseconds: Int64
    ) async throws(Problem) -> Data {
        let id = IdentifierSource.eventID()
        let moment = ClockReading.current()
        let event = Event(id: id, source: Self.source, time: moment.now, subject: subject, data: request)
        do {
            let bytes = try EventCoder.encoder().encode(event)
            return try await client.ask(bytes, id.rawValue, of: partition, at: moment, within: milliseconds)
        } catch let refusal as RequestRefusal {
            throw Problem(refusal)
        } catch RequestClient.Fault.busy {
            throw .busy
        } catch {
            throw .unanswered
        }
    }
}
