import HTTPTypes
import Hummingbird
import Logging

/// One thing that the gateway can be asked.
struct Route: Sendable {
    typealias Answer = @Sendable (Request, BasicRequestContext) async throws -> Response

    let method: HTTPRequest.Method
    /// The path as OpenAPI writes it, such as `/v1/orders/{orderId}`.
    let path: String
    let answer: Answer

    /// A method and path with what answers it.
    init(_ method: HTTPRequest.Method, _ path: String, _ answer: @escaping Answer) {
        self.method = method
        self.path = path
        self.answer = answer
    }

    /// Whether a path is this one, whatever stands for its parameters.
    func leads(to other: String) -> Bool {
        let (own, other) = (path.split(separator: "/"), other.split(separator: "/"))
        return own.count == other.count && zip(own, other).allSatisfy { $0 == $1 || $0.hasPrefix("{") }
    }

    /// The same route, counted among what a lane has in hand.
    func bounded(by lane: Lane) -> Route {
        Route(method, path) { request, context in
            try lane.enter()
            defer { lane.leave() }
            return try await answer(request, context)
        }
    }
}

extension Edge {
    /// Everything that the gateway can be asked.
    var routes: [Route] {
        let purchases =
            OrdersRoutes(edge: self).routes + ReceiptsRoutes(edge: self).routes
            + BuyersRoutes(edge: self).routes
        let notifications = NotificationsRoutes(edge: self).routes
        return purchases.map { $0.bounded(by: admission.purchases) }
            + notifications.map { $0.bounded(by: admission.notifications) }
            + HealthRoutes(edge: self).routes + MetricsRoutes(edge: self).routes + [OpenAPIRoute.route]
    }

    /// What answers a request, problems included.
    func responder() -> RouterResponder<BasicRequestContext> {
        let router = Router(context: BasicRequestContext.self)
        let routes = routes
        for route in routes {
            router.on(RouterPath(route.path), method: route.method, use: Self.guarded(route.answer))
        }
        for (path, known) in Dictionary(grouping: routes, by: \.path) {
            let allowed = known.map(\.method)
            for method in Self.methods where !allowed.contains(method) {
                router.on(RouterPath(path), method: method) { _, _ -> Response in
                    throw Problem.wrongMethod(allowed: allowed)
                }
            }
        }
        router.add(middleware: UnknownPath(routes: routes))
        return router.buildResponder()
    }

    private static let methods: [HTTPRequest.Method] = [
        .get, .head, .post, .put, .patch, .delete, .options,
    ]

    /// Answers what a route did not foresee, and logs it once.
    private static func guarded(_ answer: @escaping Route.Answer) -> Route.Answer {
        { request, context in
            do {
                return try await answer(request, context)
            } catch let problem as Problem {
                throw problem
            } catch let error as EncodingError {
                context.logger.error("An answer has no JSON form", metadata: ["error": "\(error)"])
                throw Problem.internalFault
            }
        }
    }
}

/// Answers every path that has no route, and every method that nobody foresaw; added last, so that it stands before
/// nothing else.
private struct UnknownPath: RouterMiddleware {
    let routes: [Route]

    @concurrent func handle(
        _ request: Request,
        context: BasicRequestContext,
        next: @concurrent (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        let known = routes.filter { $0.leads(to: request.uri.path) }.map(\.method)
        guard known.isEmpty else { throw Problem.wrongMethod(allowed: known) }
        throw Problem.notFound("Nothing is here; GET /openapi.json lists what is.")
    }
}
