package import Contracts
package import FoundationEssentials

/// Asks for the notifications of 180 days (sandbox: 30), 20 a page, oldest first.
package struct GetNotificationHistory: PagedServerRequest, Encodable, Hashable {
    package static let endpoint = Endpoint.notificationHistory

    package var startDate: Timestamp
    package var endDate: Timestamp
    package var onlyFailures: Bool?
    /// From the response before; nil for the first; all else must stay as it was.
    package var paginationToken: String?

    package var query: [URLQueryItem] { [URLQueryItem(name: "paginationToken", value: paginationToken)] }

    private enum CodingKeys: CodingKey {
        case startDate, endDate, onlyFailures
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
        /// A JWS as first sent, still to be verified.
        package var signedPayload: String
    }
}
