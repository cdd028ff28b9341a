import Contracts
import Delivery
import Foundation

/// One who can ask the owner of a partition and bring its answer back.
protocol PartitionCaller: Sendable {
    /// Asks until an answer comes or the time is over; repeats are harmless.
    ///
    /// - Parameters:
    ///   - request: what is asked.
    ///   - partition: whose owner is asked.
    ///   - subject: the key of order.
    ///   - milliseconds: how long an answer is of use.
    /// - Returns: the JSON of the request's `Reply`; most of it is passed on without being read.
    /// - Throws: `PartitionFault`.
    func ask(
        _ request: some Request,
        of partition: PartitionAddress,
        subject: String,
        within milliseconds: Int64
    ) async throws(PartitionFault) -> Data
}

/// Why a partition did not answer as hoped.
enum PartitionFault: Error, Equatable {
    /// The owner answered: the request has no effect.
    case refused(RequestRefusal)
    /// No answer came in time, or none that was understood; whether the request had its effect is not known.
    case unanswered
    /// The request never left: too many are waiting already.
    case busy
}

extension Problem {
    /// What the client is told about a fault; never a 4xx for something that is not final.
    init(_ fault: PartitionFault) {
        switch fault {
        case .refused(let refusal): self.init(refusal)
        case .unanswered: self = .unavailable("No answer came in time; the same request again is harmless.")
        case .busy: self = .unavailable("Too many requests are waiting; nothing was accepted, try again.")
        }
    }
}

/// Asks over the process's sockets.
struct SocketCaller: PartitionCaller {
    /// Who asks, in the events' `source`.
    static let source = "/gateway"

    private let client: RequestClient

    /// A caller over a client of this process.
    init(_ client: RequestClient) { self.client = client }

    func ask(
        _ request: some Request,
        of partition: PartitionAddress,
        subject: String,
        within milliseconds: Int64
    ) async throws(PartitionFault) -> Data {
        let identifier = IdentifierSource().eventID()
        let moment = Moment.current()
        let event = Event(
            id: identifier,
            source: Self.source,
            time: moment.now,
            subject: subject,
            data: request
        )
        do {
            let bytes = try EventCoder.encoder().encode(event)
            return try await client.ask(
                bytes,
                identifier.rawValue,
                of: partition,
                at: moment,
                within: milliseconds
            )
        } catch let refusal as RequestRefusal {
            throw .refused(refusal)
        } catch RequestClient.Fault.busy {
            throw .busy
        } catch {
            throw .unanswered
        }
    }
}
