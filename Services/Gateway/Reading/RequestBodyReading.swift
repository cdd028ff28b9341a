import HTTPTypes
import Hummingbird
import NIOCore

extension Edge {
    /// Reads the whole body of a request, which is refused as soon as it is known to be too large.
    ///
    /// Its bytes count as in hand until `use` has ended, because what `use` makes of them is as large. A notification
    /// that has not come wholly may be broken off for another one, the oldest first: a genuine one comes at once.
    ///
    /// - Throws: `Problem` 413 or 503; what reading from the connection throws, or `use`.
    func withBody<Value>(
        of request: Request,
        upTo limit: BodyLimit,
        in lane: Lane,
        _ use: (ByteBuffer) async throws -> Value
    ) async throws -> Value {
        let announced = request.headers[.contentLength].flatMap { Int($0) }
        if let announced, announced > limit.rawValue { throw Problem.tooLarge(limit: limit.rawValue) }
        let mayBreakOff = limit == .notification
        let ticket = lane.expectBody(breakOff: mayBreakOff ? TimedBody.current?.breakOff : nil)
        defer { lane.release(ticket) }
        var body = ByteBuffer()
        for try await chunk in request.body {
            let size = body.readableBytes + chunk.readableBytes
            guard size <= limit.rawValue else { throw Problem.tooLarge(limit: limit.rawValue) }
            if size > limit.uncountedBytes { try lane.reserve(bytes: chunk.readableBytes, for: ticket) }
            if body.readableBytes == 0 { body = chunk } else { body.writeImmutableBuffer(chunk) }
        }
        lane.complete(ticket)
        return try await use(body)
    }
}
