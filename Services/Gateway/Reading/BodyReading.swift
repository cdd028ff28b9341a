import Domain
import HTTPTypes
import Hummingbird
import NIOCore

/// The largest body, in bytes.
struct BodyLimit {
    private static let smallBytes = 64 << 10

    /// Everything but proofs and notifications.
    static let small = BodyLimit(rawValue: smallBytes)
    /// Apple's notifications; most have some 20 KiB, and every byte of a stranger counts.
    static let serverNotification = BodyLimit(rawValue: Limits.serverNotificationBytes, uncountedBytes: 0)
    /// All that its partition is sent of it fits into a message.
    static let receipt = BodyLimit(rawValue: Limits.requestBytes - (1 << 20))

    let rawValue: Int
    /// The size up to which a body is not counted as in flight; the limit on requests is enough for small ones.
    var uncountedBytes = smallBytes
}

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
        let tooLarge = Problem.tooLarge(limit: limit.rawValue)
        let announced = headers.value(of: .contentLength).flatMap { Int($0) }
        if let announced, announced > limit.rawValue { throw tooLarge }
        let ticket = counter.expectBody(of: buyer, abort: abort)
        defer { counter.release(ticket) }
        var bytes = ByteBuffer()
        do {
            for try await chunk in body {
                let count = chunk.readableBytes
                let size = bytes.readableBytes + count
                guard size <= limit.rawValue else { throw tooLarge }
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
