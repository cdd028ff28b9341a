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
    ) async throws(PartitionFault) -> Data
}

/// Why a partition gave no reply, or refused.
enum PartitionFault: Error, Equatable {
    /// The owner refused: the request has no effect.
    case refused(RequestRefusal)
    /// No understandable reply in time; the request may have had its effect.
    case unanswered
    /// The request was never sent: too many are waiting.
    case busy
}

struct SocketCaller: PartitionCaller {
    static let source = "/gateway"

    let client: RequestClient

    func ask(
        _ request: some RequestContract,
        of partition: PartitionAddress,
        subject: String,
        within milliseconds: Int64
    ) async throws(PartitionFault) -> Data {
        let id = IdentifierSource().eventID()
        let moment = ClockReading.current()
        let event = Event(id: id, source: Self.source, time: moment.now, subject: subject, data: request)
        do {
            let bytes = try EventCoder.encoder().encode(event)
            return try await client.ask(bytes, id.rawValue, of: partition, at: moment, within: milliseconds)
        } catch let refusal as RequestRefusal {
            throw .refused(refusal)
        } catch RequestClient.Fault.busy {
            throw .busy
        } catch {
            throw .unanswered
        }
    }
}
