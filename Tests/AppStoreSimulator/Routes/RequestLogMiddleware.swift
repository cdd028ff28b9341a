import Contracts
import HTTPTypes
import Hummingbird

/// Counts what is answered as Apple, faults included; not what only a simulator is asked.
struct RequestLogMiddleware: RouterMiddleware {
    typealias Context = SimulatorContext

    let log: RequestLog
    let now: @Sendable () -> Timestamp

    func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        let path = context.endpointPath ?? request.uri.path
        if StoreEnvironment.allCases.contains(where: { path.hasPrefix("/\($0.path)/") }) {
            await log.record(request.method.rawValue, path, status: response.status.code, at: now())
        }
        return response
    }
}
