import Contracts
import Delivery
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Why a request is not served, as `application/problem+json` (RFC 9457).
///
/// No status ever lets a phone finish its transaction; only `"finish": true` in a 200 body does.
struct Problem: Error, Equatable {
    static let retryAfterSeconds = 1

    let status: HTTPResponse.Status
    let detail: String
    let field: String?
    /// The word by which a caller tells this problem from others of its status.
    let code: String?
    var headers: HTTPFields

    private init(
        _ status: HTTPResponse.Status,
        _ detail: String,
        field: String? = nil,
        code: String? = nil,
        headers: HTTPFields = [:]
    ) {
        self.status = status
        self.detail = detail
        self.field = field
        self.code = code
        self.headers = headers
    }

    static func unreadable(_ detail: String, field: String? = nil) -> Problem {
        Problem(.badRequest, detail, field: field)
    }

    static func unacceptable(_ field: String, _ rule: String) -> Problem {
        Problem(.unprocessableContent, "`\(field)` \(rule).", field: field)
    }

    static let unauthorized = Problem(
        .unauthorized,
        "Send `Authorization: Bearer <key>` with a key of your app.",
        headers: [.wwwAuthenticate: "Bearer"]
    )

    static let forbidden = Problem(
        .forbidden,
        "This key does not belong to the app that `bundleId` names.",
        field: "bundleId"
    )

    /// The sender is not authorised for this value.
    static func forbidden(_ field: String, _ rule: String) -> Problem {
        Problem(.forbidden, "`\(field)` \(rule).", field: field)
    }

    static func notFound(_ detail: String, field: String? = nil) -> Problem {
        Problem(.notFound, detail, field: field)
    }

    static func wrongMethod(allowed: [HTTPRequest.Method]) -> Problem {
        let methods = allowed.map(\.rawValue).sorted().joined(separator: ", ")
        return Problem(.methodNotAllowed, "This path takes \(methods).", headers: [.allow: methods])
    }

    static func tooLarge(limit: Int, field: String? = nil) -> Problem {
        let what = field.map { "`\($0)`" } ?? "The body"
        return Problem(.contentTooLarge, "\(what) is larger than \(limit) bytes.", field: field)
    }

    /// The outcome is unknown; the client may safely repeat the request.
    static func unavailable(_ detail: String) -> Problem {
        Problem(.serviceUnavailable, detail, headers: [.retryAfter: String(retryAfterSeconds)])
    }

    /// The body did not come in time; 503 and not 408, because a 4xx would be final.
    static let late = unavailable("The body did not come in time; nothing was accepted, try again.")

    /// No understandable reply in time; the request may have had its effect.
    static let unanswered = unavailable("No answer came in time; the same request again is harmless.")

    /// The request was never sent to its partition.
    static let busy = unavailable("Too many requests are waiting; nothing was accepted, try again.")

    static let internalFault = Problem(.internalServerError, "The gateway has a fault; see its log.")

    /// The client's view of a refusal, which had no effect; never a 4xx for something that is not final.
    init(_ refusal: RequestRefusal) {
        let (detail, field, code) = (refusal.detail, refusal.field, refusal.problemCode)
        switch refusal.code {
        case .notFound: self.init(.notFound, detail, field: field, code: code)
        case .conflict: self.init(.conflict, detail, field: field, code: code)
        case .invalid: self.init(.unprocessableContent, detail, field: field, code: code)
        case .busy, .misdirected, .parked, .held: self = .unavailable(refusal.detail)
        case .unknown: self.init(.notImplemented, refusal.detail)
        }
    }

    /// The same problem, as the last response of its connection.
    var closing: Problem {
        var problem = self
        problem.headers[.connection] = "close"
        return problem
    }
}

extension Problem: HTTPResponseError {
    private struct Body: Encodable {
        let type = "about:blank"
        let title: String
        let status: Int
        let detail: String
        let field: String?
        let code: String?
    }

    func response(from request: Request, context: some RequestContext) throws -> Response {
        let body = Body(
            title: status.reasonPhrase,
            status: status.code,
            detail: detail,
            field: field,
            code: code
        )
        var response = try Response.json(body, status: status)
        response.headers[.contentType] = "application/problem+json"
        for header in headers { response.headers[header.name] = header.value }
        return response
    }
}
