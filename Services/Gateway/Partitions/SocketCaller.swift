import Contracts
import Delivery
import FoundationEssentials

struct SocketCaller: PartitionCaller {
    static let source = "/gateway"

    let client: RequestClient

    func ask(
        _ request: some RequestContract,
        of partition: PartitionAddress,
        subject: String,
        within milliseconds: Int64
    ) async throws(Problem) -> Data {
        let moment = ClockReading.current()
        let event = Self.event(request, subject: subject, at: moment.now)
        do {
            let bytes = try EventCoder.encoder().encode(event)
            return try await client.ask(
                bytes,
                event.id.rawValue,
                of: partition,
                at: moment,
                within: milliseconds
            )
        } catch let refusal as RequestRefusal {
            throw Problem(refusal)
        } catch RequestClient.Fault.busy {
            throw .busy
        } catch {
            throw .unanswered
        }
    }

    /// A request as a message, on the trace of the HTTP request for which it is made.
    static func event<Request: RequestContract>(
        _ request: Request,
        subject: String,
        at time: Timestamp
    ) -> Event<Request> {
        Event(
            id: IdentifierSource.eventID(),
            source: source,
            time: time,
            subject: subject,
            traceparent: Traceparent.current?.text,
            data: request
        )
    }
}
