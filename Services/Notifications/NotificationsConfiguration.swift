import Contracts
import Program

/// What Notifications has to know: where each app's own server takes webhooks.
struct NotificationsConfiguration {
    let endpoints: [BundleID: Configuration.Webhook]

    /// The endpoints that a configuration names.
    init(_ configuration: Configuration) {
        endpoints = configuration.apps.reduce(into: [:]) { $0[$1.bundleId] = $1.webhook }
    }
}
