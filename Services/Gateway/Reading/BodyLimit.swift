import HTTPTypes
import Hummingbird
import NIOCore

/// How large a body may be.
enum BodyLimit: Int {
    /// 64 KiB: everything that is no proof.
    case small = 65_536
    /// 256 KiB: Apple's notifications, larger than any that is read, so that Receipts says why.
    case notification = 262_144
    /// 4 MiB: proofs.
    case receipt = 4_194_304
}

extension Edge {
    /// The whole body of a request, refused as soon as it is known to be too large.
    ///
    /// - Throws: `Problem` 413 or 503; or what reading from the connection throws.
    func body(of request: Request, upTo limit: BodyLimit) async throws -> ByteBuffer {
        if let announced = request.headers[.contentLength].flatMap({ Int($0) }), announced > limit.rawValue {
            throw Problem.tooLarge(limit: limit.rawValue)
        }
        var body = ByteBuffer()
        var reserved = 0
        defer { if reserved > 0 { admission.release(bytes: reserved) } }
        for try await chunk in request.body {
            let size = body.readableBytes + chunk.readableBytes
            guard size <= limit.rawValue else { throw Problem.tooLarge(limit: limit.rawValue) }
            if size > BodyLimit.small.rawValue {
                try admission.reserve(bytes: chunk.readableBytes)
                reserved += chunk.readableBytes
            }
            if body.readableBytes == 0 { body = chunk } else { body.writeImmutableBuffer(chunk) }
        }
        return body
    }
}
