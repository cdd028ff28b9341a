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
        return try .json(body, status: status, type: "application/problem+json")
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
        } catch let error as APIError {
            return try error.answer()
        } catch {
            guard let problem = problem(error, request) else { throw error }
            return try problem.response(from: request, context: context)
        }
    }

    private func problem(_ error: any Error, _ request: Request) -> Problem? {
        switch error {
        case let problem as Problem: problem
        case let refusal as Refusal: Problem(.conflict, refusal.reason)
        case is UnknownTransaction: Problem(.notFound, "transactionId was not sold here")
        case is NIOTooManyBytesError: Problem(.contentTooLarge, "the body is too large")
        case let error as any HTTPResponseError:
            Problem(error.status, "\(request.method) \(request.uri.path) is not offered here")
        default: nil
        }
    }
}
