import HTTPTypes
import Hummingbird
import NIOCore

/// How large a body may be, in bytes.
enum BodyLimit: Int {
    /// 64 KiB: everything that is no proof.
    case small = 65_536
    /// 128 KiB: what Apple notifies; of version 2 some 20 KiB are the most.
    case notification = 131_072
    /// 4 MiB: proofs.
    case receipt = 4_194_304

    /// From which byte on a body is counted, each when it comes.
    ///
    /// Where strangers write, all are. Elsewhere small bodies are not counted: the bound on requests bounds them, too.
    var uncountedBytes: Int {
        switch self {
        case .small, .receipt: Self.small.rawValue
        case .notification: 0
        }
    }
}

extension Request {
    /// Reads the whole body, which is refused as soon as it is known to be too large.
    ///
    /// Its bytes count as in flight until `use` has ended, because what `use` makes of them is as large. With `abort` they
    /// may give way to others until they have come wholly, the oldest body first: a genuine one comes at once.
    func withBody<Value>(
        upTo limit: BodyLimit,
        countedBy counter: ConcurrencyLimit,
        abort: ConcurrencyLimit.Abort? = nil,
        _ use: (ByteBuffer) async throws -> Value
    ) async throws -> Value {
        let tooLarge = Problem.tooLarge(limit: limit.rawValue)
        let announced = headers[.contentLength].flatMap { Int($0) }
        if let announced, announced > limit.rawValue { throw tooLarge }
        let ticket = counter.expectBody(abort: abort)
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
