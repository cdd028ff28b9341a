/// Asks what became of a notification of type TEST.
package struct GetTestNotificationStatus: AppStoreServerRequest, Hashable {
    package static let endpoint = Endpoint.testNotificationStatus
    package var testNotificationToken: String
    package var id: String { testNotificationToken }

    package init(_ testNotificationToken: String) { self.testNotificationToken = testNotificationToken }

    /// What was sent, and how that went.
    package struct Answer: Decodable, Hashable, Sendable {
        /// A JWS, to be verified like any other.
        package var signedPayload: String
        package var sendAttempts: [SendAttempt]?
    }
}
