import Contracts
import Foundation
import Hummingbird

/// Request a Test Notification, and Get Test Notification Status.
struct TestNotificationRoutes: Sendable {
    let store: SimulatedStore
    let environment: StoreEnvironment

    func add(to api: RouterGroup<SimulatorContext>) {
        api.post("v1/notifications/test", use: send)
        api.get("v1/notifications/test/:token", use: status)
    }

    @Sendable private func send(_ request: Request, _ context: SimulatorContext) async throws -> Response {
        let announcer = Announcer(store: store)
        let app = Announcer.App(bundleId: context.callerBundleId, environment: environment)
        guard await announcer.hasEndpoint(app) else { throw APIError.notificationURLNotFound }
        var statement = announcer.statement("TEST")
        statement.data = await announcer.emptyPayment(app)
        let told = try await announcer.post(statement, app, context.signature)
        return try .json(["testNotificationToken": "\(told.notificationUUID)_\(store.now().milliseconds)"])
    }

    @Sendable private func status(_ request: Request, _ context: SimulatorContext) async throws -> Response {
        let parts = try context.parameters.require("token").split(separator: "_")
        guard parts.count == 2, UUID(uuidString: String(parts[0])) != nil, Int64(parts[1]) != nil else {
            throw APIError.invalidTestNotificationToken
        }
        guard let record = await store.desk.record(String(parts[0])), record.type == "TEST",
            record.bundleId == context.callerBundleId, record.environment == environment
        else { throw APIError.testNotificationNotFound }
        return try .json(NotificationHistoryRoutes.Item(record))
    }
}
