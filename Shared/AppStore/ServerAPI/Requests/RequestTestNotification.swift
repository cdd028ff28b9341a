/// Asks Apple to send a notification of type TEST to the app's server.
package struct RequestTestNotification: AppStoreServerRequest, Hashable {
    package static let endpoint = Endpoint.testNotification

    package init() {}

    /// By which its fate can be asked for.
    package struct Answer: Decodable, Hashable, Sendable {
        package var testNotificationToken: String
    }
}
