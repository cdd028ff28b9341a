package import HTTPTypes
package import Hummingbird
import Logging
import NIOConcurrencyHelpers
package import NIOCore
import NIOEmbedded
import NIOHTTP1

/// Most bytes of one piece of a request's body.
private let pieceBytes = 32 << 10

extension HTTPResponder where Context: InitializableFromSource<ApplicationRequestContextSource> {
    /// The answer to one request without sockets; the body comes in pieces, as over a connection.
    @concurrent package func reply(
        to method: HTTPRequest.Method,
        _ path: String,
        headers: HTTPFields = [:],
        body: ByteBuffer? = nil
    ) async throws -> HTTPReply {
        var head = HTTPRequest(
            method: method,
            scheme: "http",
            authority: "localhost",
            path: path,
            headerFields: headers
        )
        if let body { head.headerFields[.contentLength] = String(body.readableBytes) }
        let request = Request(head: head, body: RequestBody(asyncSequence: pieces(of: body ?? ByteBuffer())))
        let source = ApplicationRequestContextSource(
            channel: NIOAsyncTestingChannel(),
            logger: Logger(label: "test")
        )
        let response: Response
        do {
            response = try await respond(to: request, context: Context(source: source))
        } catch {
            // As Hummingbird's server answers what the responder could not.
            response = Response(status: .internalServerError)
        }
        let written = BodyCollector()
        try await response.body.write(written)
        return HTTPReply(
            status: response.status.code,
            headers: HTTPHeaders(response.headers.map { ($0.name.rawName, $0.value) }),
            body: written.bytes.withLockedValue { $0 }
        )
    }
}

private func pieces(of body: ByteBuffer) -> AsyncStream<ByteBuffer> {
    AsyncStream { stream in
        var rest = body
        while rest.readableBytes > 0,
            let piece = rest.readSlice(length: min(pieceBytes, rest.readableBytes))
        {
            stream.yield(piece)
        }
        stream.finish()
    }
}

/// Keeps what is written of a response.
private struct BodyCollector: ResponseBodyWriter {
    let bytes = NIOLockedValueBox(ByteBuffer())

    @concurrent func write(_ buffer: ByteBuffer) async throws {
        _ = bytes.withLockedValue { $0.writeImmutableBuffer(buffer) }
    }

    @concurrent func finish(_ trailers: HTTPFields?) async throws {}
}
