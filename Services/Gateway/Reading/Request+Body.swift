import Hummingbird
import NIOCore

extension Request {
    /// Reads the whole body, and refuses it as soon as it is known to be too large.
    ///
    /// Its bytes count as in flight until `use` ends, because what `use` makes of them is as large. With `abort` the
    /// oldest incomplete bodies give way to others: a genuine one comes at once.
    func withBody<Value>(
        upTo limit: BodyLimit,
        countedBy counter: ConcurrencyLimit,
        of buyer: AppBuyer? = nil,
        abort: ConcurrencyLimit.Abort? = nil,
        _ use: (ByteBuffer) async throws -> Value
    ) async throws -> Value {
        let announced = headers.value(of: .contentLength).flatMap { Int($0) }
        if let announced, announced > limit.rawValue { throw limit.exceeded }
        let ticket = counter.expectBody(of: buyer, abort: abort)
        defer { counter.release(ticket) }
        var bytes = ByteBuffer()
        do {
            for try await chunk in body {
                let count = chunk.readableBytes
                let size = bytes.readableBytes + count
                guard size <= limit.rawValue else { throw limit.exceeded }
                if size > limit.uncountedBytes { try counter.reserve(bytes: count, for: ticket) }
                if bytes.readableBytes == 0 { bytes = chunk } else { bytes.writeImmutableBuffer(chunk) }
            }
        } catch let problem as Problem {
            throw problem.closing
        }
        counter.complete(ticket)
        return try await use(bytes)
    }
}
