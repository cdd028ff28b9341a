import Contracts
import HTTPTypes
import Hummingbird

/// `/_control/apps`: an app's number and its shared secret, as App Store Connect has them.
struct AppsRoutes: Sendable {
    let store: SimulatedStore

    func add(to control: RouterGroup<SimulatorContext>) {
        control.post("apps") { request, _ in
            let wanted: Wanted = try await JSONBody.read(request)
            await store.apps.set(
                bundleId: wanted.bundleId.rawValue,
                appAppleId: wanted.appAppleId,
                sharedSecret: wanted.sharedSecret
            )
            return Response(status: .noContent)
        }
    }

    private struct Wanted: Decodable {
        let bundleId: BundleID
        let appAppleId: Int64?
        /// Empty for none.
        let sharedSecret: String?
    }
}
