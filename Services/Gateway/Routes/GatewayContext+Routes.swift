import COpenAPI
import Contracts
import Delivery
import Domain
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Program

extension GatewayContext {
    private static let document = ByteBuffer(
        bytes: UnsafeRawBufferPointer(start: openapi_document(), count: openapi_document_length())
    )
    private static let operationsDocument = ByteBuffer(
        bytes: UnsafeRawBufferPointer(start: operations_document(), count: operations_document_length())
    )

    /// What describes the routes of its listener.
    private static func describing(_ document: ByteBuffer) -> Route {
        Route(.get, "/openapi.yaml") { _, _ in .content(document, type: "application/yaml") }
    }

    var routes: [Route] {
        OrdersRoutes(gateway: self).routes + OrderReportRoutes(gateway: self).routes
            + OrderLogRoutes(gateway: self).routes + BuyerOrdersRoutes(gateway: self).routes
            + ReceiptsRoutes(gateway: self).routes + BuyersRoutes(gateway: self).routes
            + WalletRoutes(gateway: self).routes
            + ProductsRoutes(gateway: self).routes + ServerNotificationsRoutes(gateway: self).routes
            + HealthRoutes(gateway: self).routes(forOperators: false) + [Self.describing(Self.document)]
    }

    var operations: [Route] {
        HealthRoutes(gateway: self).routes(forOperators: true) + MetricsRoutes(gateway: self).routes
            + OperatorRoutes(gateway: self).routes + ActsRoutes(gateway: self).routes
            + AssignmentsRoutes(gateway: self).routes + ReassignmentsRoutes(gateway: self).routes
            + CompensationsRoutes(gateway: self).routes + ProposalsRoutes(gateway: self).routes
            + DeskRoutes(gateway: self).routes + [Self.describing(Self.operationsDocument)]
    }

    /// A route for these callers, which counts its requests in flight and handles them for the caller's app, each on
    /// the trace that it names.
    func appRoute(
        _ method: HTTPRequest.Method,
        _ path: String,
        for callers: Caller.Callers = .serversOnly,
        _ handler: @escaping @Sendable (AppRequest) async throws -> Response
    ) -> Route {
        Route(method, path) { request, context in
            // In one function: every request passes, and each closure in between would cost it another frame.
            let counter = loadShedder.purchases
            try counter.enter()
            defer { counter.leave() }
            let caller = try await authentication.caller(request.headers) {
                ClockReading(now: now(), uptime: uptime())
            }
            RequestNote.add(caller)
            try rateLimits.admit(caller, to: path, at: uptime)
            try caller.check(callers)
            let buyer = caller.phoneBuyer
            try rateLimits.enter(buyer, to: path)
            defer { rateLimits.leave(buyer) }
            let call = AppRequest(caller: caller, request: request, context: context, counter: counter)
            guard let trace = Traceparent(request.headers) else { return try await handler(call) }
            return try await Traceparent.$current.withValue(trace) { try await handler(call) }
        }
    }

    /// Such a route whose answer is the reply of the partition that owns what is asked, as it is.
    func forward<Question: RequestContract & Routed>(
        _ method: HTTPRequest.Method,
        _ path: String,
        for callers: Caller.Callers = .serversOnly,
        status: HTTPResponse.Status = .ok,
        _ read: @escaping @Sendable (AppRequest) async throws -> Question
    ) -> Route {
        appRoute(method, path, for: callers) { request in
            .json(bytes: try await partitions.forward(try await read(request)), status: status)
        }
    }

    func responder() -> RouterResponder<GatewayRequestContext> {
        Self.responder(routes, directory: "GET /openapi.yaml lists what is.")
    }

    func operationsResponder() -> RouterResponder<GatewayRequestContext> {
        Self.responder(operations, directory: "GET /livez, /readyz, /metrics or /openapi.yaml.")
    }

    private static func responder(
        _ routes: [Route],
        directory: String
    ) -> RouterResponder<GatewayRequestContext> {
        let router = Router(context: GatewayRequestContext.self)
        for route in routes {
            router.on(RouterPath(route.path), method: route.method, use: guarded(route.handler))
        }
        router.add(middleware: UnknownPath(routes: routes, directory: directory))
        return router.buildResponder()
    }

    private static func guarded(_ handler: @escaping Route.Handler) -> Route.Handler {
        { request, context in
            do {
                return try await handler(request, context)
            } catch let error as EncodingError {
                var metadata: Logger.Metadata = ["error": "\(error)"]
                metadata["traceparent"] = Traceparent(request.headers).map {
                    Logger.MetadataValue.string($0.text)
                }
                context.logger.error("An answer has no JSON form", metadata: metadata)
                throw Problem.internalFault
            }
        }
    }
}

/// Answers unknown paths and methods; added last, so that every other route comes first.
private struct UnknownPath: RouterMiddleware {
    let routes: [Route]
    let directory: String

    @concurrent func handle(
        _ request: Request,
        context: GatewayRequestContext,
        next: @concurrent (Request, GatewayRequestContext) async throws -> Response
    ) async throws -> Response {
        let known = routes.filter { $0.matches(request.uri.path) }.map(\.method)
        guard known.isEmpty else { throw Problem.wrongMethod(allowed: known) }
        throw Problem.notFound("Nothing is here; \(directory)")
    }
}
