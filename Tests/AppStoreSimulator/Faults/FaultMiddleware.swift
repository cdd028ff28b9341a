import Contracts
import Glibc
import HTTPTypes
import Hummingbird
import NIOCore

/// Lets the faults that were asked for strike, everywhere but where they are asked for.
struct FaultMiddleware: RouterMiddleware {
    typealias Context = SimulatorContext

    /// Bytes of a piece of a trickling answer, if nothing else was asked for.
    static let standardPiece = 64
    static let standardPause: Int64 = 100

    let faults: FaultList
    let now: @Sendable () -> Timestamp
    let pause: @Sendable (Int64) async throws -> Void

    func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let path = request.uri.path
        guard !path.hasPrefix("/_control/faults"),
            let fault = await faults.strike(method: request.method.rawValue, path: path, at: now())
        else { return try await next(request, context) }
        var context = context
        switch fault.kind {
        case .delay: try await pause(fault.milliseconds ?? 0)
        case .wrongSignature: context.signature = .forged
        case .expiredCertificate: context.signature = .expired
        case .trickle: return trickling(try await next(request, context), fault)
        case .reset:
            try await reset(context.channel)
            throw CancellationError()
        case .status: return text(fault.status ?? 500, "text/plain", fault.body ?? "")
        case .html: return text(200, "text/html", Self.page)
        case .empty: return text(200, "application/json", "")
        case .truncated: return text(200, "application/json", Self.cutOff)
        case .receiptStatus: return try receiptStatus(fault)
        case .apiError: return try apiError(fault)
        case .rateLimit: return try comeBack()
        }
        return try await next(request, context)
    }

    static let page = """
        <html><head><title>Service Unavailable</title></head>
        <body><h1>Service Unavailable</h1><p>The service is temporarily unavailable.</p></body></html>
        """
    static let cutOff = #"{"status":0,"signedTransactionInfo":"eyJhb"#

    private func receiptStatus(_ fault: Fault) throws -> Response {
        var members: [String: JSONValue] = ["status": .integer(Int64(fault.status ?? 0))]
        members["is-retryable"] = fault.isRetryable.map { .integer($0 ? 1 : 0) }
        return try .json(JSONValue.object(members))
    }

    private func apiError(_ fault: Fault) throws -> Response {
        let message = fault.errorMessage ?? "An unknown error occurred."
        return try APIError(fault.errorCode ?? 5_000_000, message, status: fault.status ?? 500).answer()
    }

    /// Apple's `Retry-After`: a moment in milliseconds since 1970, not seconds from now.
    private func comeBack() throws -> Response {
        var response = try APIError.rateLimitExceeded.answer()
        let nextSecond = (now().milliseconds / 1_000 + 1) * 1_000
        response.headers[.retryAfter] = String(nextSecond)
        return response
    }

    private func text(_ status: Int, _ type: String, _ body: String) -> Response {
        .bytes(body.utf8, type: type, status: .init(code: status))
    }

    private func trickling(_ response: Response, _ fault: Fault) -> Response {
        var response = response
        let body = response.body
        let bytes = fault.bytes ?? Self.standardPiece
        let milliseconds = fault.milliseconds ?? Self.standardPause
        response.body = ResponseBody(contentLength: body.contentLength) { [pause] writer in
            try await body.write(
                TricklingWriter(writer: writer, bytes: bytes) { try await pause(milliseconds) }
            )
        }
        return response
    }

    /// Closes the connection with a reset instead of an orderly end, before anything was answered.
    private func reset(_ channel: any Channel) async throws {
        if let options = channel as? any SocketOptionProvider {
            try await options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        }
        try await channel.close()
    }
}

private struct TricklingWriter: ResponseBodyWriter {
    var writer: any ResponseBodyWriter
    let bytes: Int
    let pause: @Sendable () async throws -> Void

    @concurrent mutating func write(_ buffer: ByteBuffer) async throws {
        var rest = buffer
        while let piece = rest.readSlice(length: min(bytes, rest.readableBytes)), piece.readableBytes > 0 {
            try await writer.write(piece)
            try await pause()
        }
    }

    @concurrent consuming func finish(_ trailers: HTTPFields?) async throws {
        try await writer.finish(trailers)
    }
}
