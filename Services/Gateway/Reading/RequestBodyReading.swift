import HTTPTypes
import Hummingbird
import NIOCore

extension Edge {
    /// Reads the whole body of a request, which is refused as soon as it is known to be too large.
    ///
    /// Its bytes count as in hand until `use` has ended, because what `use` makes of them is as large.
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
        var body = ByteBuffer()
        var reserved = 0
        defer { lane.release(bytes: reserved) }
        if limit.isReservedAhead {
            let bytes = max(0, announced ?? limit.rawValue)
            try lane.reserve(bytes: bytes)
            reserved = bytes
        }
        for try await chunk in request.body {
            let size = body.readableBytes + chunk.readableBytes
            guard size <= limit.rawValue else { throw Problem.tooLarge(limit: limit.rawValue) }
            if !limit.isReservedAhead, size > BodyLimit.small.rawValue {
                try lane.reserve(bytes: chunk.readableBytes)
                reserved += chunk.readableBytes
            }
            if body.readableBytes == 0 { body = chunk } else { body.writeImmutableBuffer(chunk) }
        }
        return try await use(body)
    }
}
