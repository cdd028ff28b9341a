import Delivery
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// What happens between a request that was read and the bytes of its answer.
struct Answering: Sendable {
    /// How long a connection stays whose sender is refused in the middle of a body, in seconds: time to read why.
    static let lingerSeconds: Int64 = 5

    let responder: RouterResponder<BasicRequestContext>
    let logger: Logger
    let crash: CrashSwitch
    let alarm: ConnectionAlarm

    /// Answers one request of a connection.
    @concurrent @Sendable func answer(
        _ request: Request,
        _ writer: consuming ResponseWriter,
        _ channel: any Channel
    ) async throws {
        if request.headers[.expect]?.lowercased() == "100-continue" {
            try await writer.writeInformationalHead(HTTPResponse(status: .continue))
        }
        var request = request
        let body = TimedBody(of: request, on: channel, alarm)
        defer { body?.stop() }
        if let body { request.body = RequestBody(asyncSequence: body) }
        var response = try await TimedBody.$current.withValue(body) {
            let context = BasicRequestContext(source: .init(channel: channel, logger: logger))
            return try await responder.respond(to: request, context: context)
        }
        response.headers[.date] = HTTPDate.now
        let isLast = body?.isBrokenOff ?? false
        if isLast { response.headers[.connection] = "close" }
        crash.reach(.beforeAnswer)
        try await writer.write(response: response.head, body: response.body)
        if isLast {
            body?.stop()
            closeSoon(channel)
        } else {
            try await body?.drain()
        }
    }

    private func closeSoon(_ channel: any Channel) {
        _ = alarm.set(channel, .seconds(Self.lingerSeconds)) { channel.close(promise: nil) }
    }
}
