import Contracts
import Delivery
import HTTPTypes
import Hummingbird
import Program

/// Gives each answer its `Request-Id`, and writes it into the log of requests.
struct AnswerRecorder: Sendable {
    static let header = "Request-Id"
    private static let field = HTTPField.Name(header)

    /// Nil: nothing is written.
    var log: RequestLog?
    /// A new id.
    var newID: @Sendable () -> String = { IdentifierSource.eventID().rawValue }
    var now: @Sendable () -> ClockReading = { ClockReading.current() }

    /// Answers a request, and records what was answered.
    func answer(
        _ request: Request,
        _ respond: () async throws -> Response
    ) async throws -> Response {
        let (note, id, start) = (RequestNote(), newID(), now())
        var response = try await RequestNote.$current.withValue(note) { try await respond() }
        if let field = Self.field { response.headers[field] = id }
        guard let log else { return response }
        let (facts, end) = (note.all, now())
        var record = RequestRecord(
            number: 0,
            time: end.now.milliseconds,
            id: id,
            method: request.method.rawValue,
            path: request.uri.path,
            status: response.status.code,
            milliseconds: end.uptime - start.uptime
        )
        (record.caller, record.bundleId, record.buyerId) = (facts.caller, facts.bundleId, facts.buyerId)
        (record.orderId, record.code, record.field) = (facts.orderId, facts.code, facts.field)
        log.add(record)
        return response
    }
}
