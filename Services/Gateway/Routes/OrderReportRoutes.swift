import Contracts
import Domain
import HTTPTypes
import Hummingbird
import Program

/// `/v1/orders/{orderId}/report`: what StoreKit said when it did not sell, and what the buyer is told.
struct OrderReportRoutes: Sendable {
    private struct Body: ExactBody {
        enum CodingKeys: CodingKey, CaseIterable { case outcome, errorDomain, errorCode }

        let outcome: String
        let errorDomain: String?
        let errorCode: JSONValue?
    }

    private struct Reported: Encodable {
        let order: OrderV1
        let message: String
    }

    let gateway: GatewayContext

    var routes: [Route] {
        [gateway.appRoute(.post, "/v1/orders/{orderId}/report", for: .phones, report)]
    }

    @Sendable private func report(_ request: AppRequest) async throws -> Response {
        let order = try request.orderID()
        let language = Language(acceptLanguage: request.request.headers[.acceptLanguage])
        let body = try await request.body(Body.self)
        let outcome: OrderReportV1.Outcome = try Field.word(body.outcome, "outcome")
        let error = try error(body)
        let bundle = request.app.bundleId
        let report = OrderReportV1(
            bundleId: bundle,
            orderId: order,
            outcome: outcome,
            error: error,
            buyerId: request.caller.onlyBuyer
        )
        let reported = try await gateway.partitions.ask(report)
        let message = language.texts.message(outcome, error, of: reported.state)
        var response = try Response.json(Reported(order: reported, message: message))
        response.headers[.contentLanguage] = language.rawValue
        response.headers[.vary] = "Accept-Language"
        return response
    }

    /// Nil when the phone names neither domain nor code.
    private func error(_ body: Body) throws(Problem) -> ReportedError? {
        var error = ReportedError(domain: nil, code: nil)
        if let domain = body.errorDomain {
            error.domain = try Field.printable(domain, "errorDomain", bytes: Limits.errorDomainBytes)
        }
        switch body.errorCode {
        case .string(let text)?:
            error.code = try Field.printable(text, "errorCode", bytes: Limits.errorCodeBytes)
        case .integer(let number)?: error.code = String(number)
        case .number(let number)?: error.code = String(number)
        case .null?, nil: break
        case .bool?, .array?, .object?: throw .unacceptable("errorCode", "must be a string or a number")
        }
        return error.domain == nil && error.code == nil ? nil : error
    }
}
