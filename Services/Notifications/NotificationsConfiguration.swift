import Contracts
import Program

struct NotificationsConfiguration {
    let endpoints: [BundleID: Configuration.Webhook]

    init(_ configuration: Configuration) {
        endpoints = configuration.apps.reduce(into: [:]) { $0[$1.bundleId] = $1.webhook }
    }
}
