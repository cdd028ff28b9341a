package import Contracts
package import Foundation

/// Asks for the notifications that Apple sent or tried to send, 20 a page, the oldest first.
///
/// Apple records them for 180 days, in the sandbox for 30. A notification type and a transaction id exclude each other
/// (error 4000019).
package struct GetNotificationHistory: PagedServerRequest, Encodable, Hashable {
    package static let endpoint = Endpoint.notificationHistory

    package var startDate: Timestamp
    package var endDate: Timestamp
    package var notificationType: String?
    package var notificationSubtype: String?
    package var transactionId: TransactionID?
    /// Only what did not arrive.
    package var onlyFailures: Bool?
    /// The page, from the response before; nil for the first; all else must be as it was for the first.
    package var paginationToken: String?

    package var query: [URLQueryItem] { [URLQueryItem(name: "paginationToken", value: paginationToken)] }

    private enum CodingKeys: CodingKey {
        case startDate, endDate, notificationType, notificationSubtype, transactionId, onlyFailures
    }

    package init(from startDate: Timestamp, to endDate: Timestamp) {
        self.startDate = startDate
        self.endDate = endDate
    }

    /// The request for the page after `response`.
    package func next(after response: Response) throws(AppStoreServerError) -> Self? {
        try page(response.paginationToken, hasMore: response.hasMore, \.paginationToken)
    }

    /// One page.
    package struct Response: Decodable, Hashable, Sendable {
        package var paginationToken: String?
        package var hasMore: Bool
        package var notificationHistory: [Item]
    }

    /// One notification.
    package struct Item: Decodable, Hashable, Sendable {
        /// A JWS, as it was first sent; to be verified like any other.
        package var signedPayload: String
        package var sendAttempts: [SendAttempt]?
    }

    /// One attempt of Apple's to send a notification.
    package struct SendAttempt: Decodable, Hashable, Sendable {
        package var attemptDate: Timestamp
        /// `SUCCESS`, `NO_RESPONSE`, …, or newer.
        package var sendAttemptResult: String
    }
}
