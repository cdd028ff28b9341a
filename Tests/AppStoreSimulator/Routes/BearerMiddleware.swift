import HTTPTypes
import Hummingbird
import NIOCore

/// Lets nobody at the App Store Server API who has no bearer token of Apple's shape.
struct BearerMiddleware: RouterMiddleware {
    typealias Context = SimulatorContext

    let store: SimulatedStore

    func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let token = BearerToken(authorization: request.headers[.authorization], at: store.now()),
            await isGenuine(token)
        else { return Self.unauthenticated }
        var context = context
        context.callerBundleId = token.bundleId
        return try await next(request, context)
    }

    /// Any token is, as long as no key is registered.
    private func isGenuine(_ token: BearerToken) async -> Bool {
        let keys = await store.apps.keys
        return keys.isEmpty || keys[token.keyId].map(token.isSigned) ?? false
    }

    /// Apple's answer, which is no JSON.
    private static let unauthenticated = Response.bytes(
        Array("Unauthenticated\n\nRequest ID: SIMULATOR.0.0\n".utf8),
        type: "text/plain",
        status: .unauthorized
    )
}
