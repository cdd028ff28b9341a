import Contracts
import Foundation
import HTTPTypes
import Hummingbird

/// `/_control/notifications`: where an app receives its notifications, and how fast the time of retries goes.
struct EndpointsRoutes: Sendable {
    let store: SimulatedStore

    func add(to control: RouterGroup<SimulatorContext>) {
        control.post("notifications", use: set)
        control.post("notifications/:notificationUUID/repeat", use: sendAgain)
    }

    private struct Wanted: Decodable {
        let bundleId: BundleID
        let environment: StoreEnvironment
        /// Absent for none.
        let url: String?
        let timeFactor: Double?
    }

    @Sendable private func set(_ request: Request, _ context: SimulatorContext) async throws -> Response {
        let wanted: Wanted = try await JSONBody.read(request)
        let factor = wanted.timeFactor ?? 1
        guard factor > 0, factor.isFinite else { throw Problem("timeFactor is not more than 0") }
        if let url = wanted.url, URL(string: url)?.scheme?.hasPrefix("http") != true {
            throw Problem("url is no URL of HTTP")
        }
        await store.desk.set(
            wanted.url.map { NotificationDesk.Endpoint(url: $0, timeFactor: factor) },
            bundleId: wanted.bundleId.rawValue,
            environment: wanted.environment
        )
        return Response(status: .noContent)
    }

    @Sendable private func sendAgain(_ request: Request, _ context: SimulatorContext) async throws -> Response
    {
        let uuid = try context.parameters.require("notificationUUID")
        guard await store.desk.repeatDelivery(of: uuid, at: store.now()) else {
            throw Problem(.notFound, "notificationUUID was not sent from here")
        }
        return Response(status: .noContent)
    }
}
