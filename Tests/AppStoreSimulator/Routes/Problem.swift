import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// A refusal as RFC 9457's `application/problem+json`.
struct Problem: Error, ResponseGenerator {
    let status: HTTPResponse.Status
    let detail: String

    init(_ status: HTTPResponse.Status, _ detail: String) {
        self.status = status
        self.detail = detail
    }

    /// A request that names a field wrongly.
    init(_ detail: String) { self.init(.badRequest, detail) }

    /// Names the field that could not be read.
    init(decoding error: DecodingError) {
        switch error {
        case .keyNotFound(let key, _): self.init("\(key.stringValue) is missing")
        case .typeMismatch(_, let context): self.init("\(Self.path(context)) has the wrong type")
        case .valueNotFound(_, let context): self.init("\(Self.path(context)) is null")
        case .dataCorrupted(let context) where context.codingPath.isEmpty: self.init("the body is not JSON")
        case .dataCorrupted(let context): self.init("\(Self.path(context)) is not valid")
        @unknown default: self.init("the body cannot be read")
        }
    }

    func response(from request: Request, context: some RequestContext) throws -> Response {
        let body = Body(title: status.reasonPhrase, status: status.code, detail: detail)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Response(
            status: status,
            headers: [.contentType: "application/problem+json"],
            body: .init(byteBuffer: ByteBuffer(bytes: try encoder.encode(body)))
        )
    }

    private static func path(_ context: DecodingError.Context) -> String {
        context.codingPath.isEmpty ? "the body" : context.codingPath.map(\.stringValue).joined(separator: ".")
    }

    private struct Body: Encodable {
        var type = "about:blank"
        let title: String
        let status: Int
        let detail: String
    }
}

/// Turns every refusal into an answer, the router's own too.
struct ProblemMiddleware: RouterMiddleware {
    typealias Context = SimulatorContext

    func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let problem as Problem {
            return try problem.response(from: request, context: context)
        } catch let error as APIError {
            return try error.answer()
        } catch let refusal as Refusal {
            return try Problem(.conflict, refusal.reason).response(from: request, context: context)
        } catch is UnknownTransaction {
            let problem = Problem(.notFound, "transactionId was not sold here")
            return try problem.response(from: request, context: context)
        } catch is NIOTooManyBytesError {
            let problem = Problem(
                .contentTooLarge,
                "the body is too large"
            )
            return try problem.response(from: request, context: context)
        } catch let error as any HTTPResponseError {
            let problem = Problem(error.status, "\(request.method) \(request.uri.path) is not offered here")
            return try problem.response(from: request, context: context)
        }
    }
}
