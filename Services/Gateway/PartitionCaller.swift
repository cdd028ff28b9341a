import Contracts
import Delivery
import Foundation

/// Asks the owner of a partition and brings its reply.
protocol PartitionCaller: Sendable {
    /// Asks until a reply comes or the time is over; repeats are harmless. Most replies are passed on without being
    /// decoded, so their JSON is returned.
    func ask(
        _ request: some Request,
        of partition: PartitionAddress,
        subject: String,
        within milliseconds: Int64
    ) async throws(PartitionFault) -> Data
}

/// Why a partition gave no reply, or refused.
enum PartitionFault: Error, Equatable {
    /// The owner replied: the request has no effect.
    case refused(RequestRefusal)
    /// No reply came in time, or none that was understood; whether the request had its effect is not known.
    case unanswered
    /// The request never left: too many are waiting already.
    case busy
}

/// Asks over the process's sockets.
struct SocketCaller: PartitionCaller {
    /// Who asks, in the events' `source`.
    static let source = "/gateway"

    let client: RequestClient

    func ask(
        _ request: some Request,
        of partition: PartitionAddress,
        subject: String,
        within milliseconds: Int64
    ) async throws(PartitionFault) -> Data {
        let id = IdentifierSource().eventID()
        let moment = Moment.current()
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
