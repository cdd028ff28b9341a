import Contracts
import Delivery
import FoundationEssentials
import HTTPTypes
import Hummingbird
import NIOCore
import Program

/// Why a request is not served, as `application/problem+json` (RFC 9457).
///
/// No status ever lets a phone finish its transaction; only `"finish": true` in a 200 body does.
struct Problem: Error, Equatable {
    static let retryAfterSeconds = 1

    let status: HTTPResponse.Status
    let detail: String
    var field: String?
    /// A stable word on which programs branch, such as `keyReused`.
    let code: String
    /// The order because of which another one is refused.
    var order: OrderV1?
    var headers: HTTPFields

    private init(
        _ status: HTTPResponse.Status,
        _ code: String,
        _ detail: String,
        field: String? = nil,
        order: OrderV1? = nil,
        headers: HTTPFields = [:]
    ) {
        self.status = status
        self.detail = detail
        self.field = field
        self.code = code
        self.order = order
        self.headers = headers
    }

    static func unreadable(_ detail: String, field: String? = nil) -> Problem {
        Problem(.badRequest, "unreadable", detail, field: field)
    }

    static func unacceptable(_ field: String, _ rule: String) -> Problem {
        Problem(.unprocessableContent, "invalid", "`\(field)` \(rule).", field: field)
    }

    static let unauthorized = Problem(
        .unauthorized,
        "unauthorized",
        "Send `Authorization: Bearer …` with a key of your app, or with the token of a phone.",
        headers: [.wwwAuthenticate: "Bearer"]
    )

    static func unauthorized(_ fault: TokenFault) -> Problem {
        // RFC 6750, section 3.1.
        let headers: HTTPFields = [.wwwAuthenticate: "Bearer error=\"invalid_token\""]
        return Problem(.unauthorized, fault.rawValue, fault.detail, headers: headers)
    }

    static let serverKeyNeeded = Problem(
        .forbidden,
        "serverKeyNeeded",
        "Only a server of the app may ask this, with its key; phones may not."
    )

    static let operatorKeyNeeded = Problem(
        .unauthorized,
        "operatorKeyNeeded",
        "Send `Authorization: Bearer …` with your operator key; whoever runs the group makes one.",
        headers: [.wwwAuthenticate: "Bearer"]
    )

    /// The key is of nobody, or of an operator who may not act any more: one answer, which tells no stranger which.
    static let operatorKeyUnknown = Problem(
        .unauthorized,
        "operatorKeyNeeded",
        "This operator key is unknown or revoked; `counterfoil operator list` says who has one.",
        headers: [.wwwAuthenticate: "Bearer"]
    )

    static func roleNeeded(_ role: OperatorRole) -> Problem {
        Problem(.forbidden, "roleNeeded", "Your key's role may not do this; it takes `\(role.rawValue)`.")
    }

    /// What another operator has proposed, or somebody has confirmed, is taken back by whoever may approve.
    static let othersProposal = Problem(
        .forbidden,
        "roleNeeded",
        "It takes `\(OperatorRole.approve.rawValue)`, or your own proposal, until it is confirmed."
    )

    /// Nobody acts on a group whose operators cannot be read: one of them may have been revoked.
    static let operatorsUnreadable = unavailable("This home's operators.json cannot be read.")

    static let otherBuyer = Problem(
        .forbidden,
        "otherBuyer",
        "A phone acts for the buyer of its token alone.",
        field: "buyerId"
    )

    static let forbidden = Problem(
        .forbidden,
        "forbidden",
        "This key does not belong to the app that `bundleId` names.",
        field: "bundleId"
    )

    /// The sender is not authorised for this value.
    static func forbidden(_ field: String, _ rule: String) -> Problem {
        Problem(.forbidden, "forbidden", "`\(field)` \(rule).", field: field)
    }

    static func notFound(_ detail: String, field: String? = nil) -> Problem {
        Problem(.notFound, "notFound", detail, field: field)
    }

    static func wrongMethod(allowed: [HTTPRequest.Method]) -> Problem {
        let methods = allowed.map(\.rawValue).sorted().joined(separator: ", ")
        return Problem(
            .methodNotAllowed,
            "wrongMethod",
            "This path takes \(methods).",
            headers: [.allow: methods]
        )
    }

    static func tooLarge(limit: Int, field: String? = nil) -> Problem {
        let what = field.map { "`\($0)`" } ?? "The body"
        return Problem(.contentTooLarge, "tooLarge", "\(what) is larger than \(limit) bytes.", field: field)
    }

    /// The outcome is unknown; the client may safely repeat the request.
    static func unavailable(_ detail: String) -> Problem {
        Problem(.serviceUnavailable, "unavailable", detail, headers: [.retryAfter: String(retryAfterSeconds)])
    }

    /// The body did not come in time; 503 and not 408, because a 4xx would be final.
    static let late = unavailable("The body did not come in time; nothing was accepted, try again.")

    /// No understandable reply in time; the request may have had its effect.
    static let unanswered = unavailable("No answer came in time; the same request again is harmless.")

    /// The request was never sent to its partition.
    static let busy = unavailable("Too many requests are waiting; nothing was accepted, try again.")

    /// The app sends more than its configuration allows.
    static let limited = Problem(
        .tooManyRequests,
        "rateLimited",
        "This app or key sends more requests than its limit allows; nothing was accepted, try again.",
        headers: [.retryAfter: String(retryAfterSeconds)]
    )

    /// The same where proofs are taken: 503, because a 4xx would be final.
    static let proofsLimited = unavailable(limited.detail)

    /// A buyer's phones send more than the app's configuration allows.
    static let limitedOfBuyer = Problem(
        .tooManyRequests,
        "rateLimited",
        "This buyer's phones send more requests than their limit allows; nothing was accepted, try again.",
        headers: [.retryAfter: String(retryAfterSeconds)]
    )

    /// The same where proofs are taken.
    static let proofsLimitedOfBuyer = unavailable(limitedOfBuyer.detail)

    static let internalFault = Problem(
        .internalServerError,
        "internalFault",
        "The gateway has a fault; see its log."
    )

    /// The client's view of a refusal, which had no effect; never a 4xx for something that is not final.
    init(_ refusal: RequestRefusal) {
        let code = refusal.reason ?? refusal.code.rawValue
        switch refusal.code {
        case .notFound: self.init(.notFound, code, refusal.detail, field: refusal.field)
        case .conflict:
            self.init(.conflict, code, refusal.detail, field: refusal.field, order: refusal.order)
        case .invalid: self.init(.unprocessableContent, code, refusal.detail, field: refusal.field)
        case .busy, .misdirected, .deadLettered, .delayed: self = .unavailable(refusal.detail)
        case .unknown: self.init(.notImplemented, code, refusal.detail)
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
        let code: String
        let detail: String
        let field: String?
        let order: OrderV1?
    }

    func response(from request: Request, context: some RequestContext) throws -> Response {
        RequestNote.add { [code, field] facts in (facts.code, facts.field) = (code, field ?? "") }
        let body = Body(
            title: status.reasonPhrase,
            status: status.code,
            code: code,
            detail: detail,
            field: field,
            order: order
        )
        var response = try Response.json(body, status: status)
        response.headers[.contentType] = "application/problem+json"
        for header in headers { response.headers[header.name] = header.value }
        return response
    }
}
