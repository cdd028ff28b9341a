package import Contracts

/// Asks for the notifications that Apple sent or tried to send, 20 a page, the oldest first.
///
/// They are kept for 180 days, in the sandbox for 30. A notification type and a transaction id exclude each
/// other (error 4000019).
package struct GetNotificationHistory: PagedServerRequest, Hashable {
    package static let endpoint = Endpoint.notificationHistory

    package var startDate: Timestamp
    package var endDate: Timestamp
    package var notificationType: String?
    package var notificationSubtype: String?
    package var transactionId: TransactionID?
    /// Only what did not arrive.
    package var onlyFailures: Bool?
    /// The place of a page, from the answer before; nil for the first.
    ///
    /// All else must be as it was for the first.
    package var paginationToken: String?

    package var query: [QueryItem] { QueryItem.optional("paginationToken", paginationToken) }

    package init(from startDate: Timestamp, to endDate: Timestamp) {
        self.startDate = startDate
        self.endDate = endDate
    }

    /// Span and filters.
    package func body() throws -> [UInt8]? {
        try RequestBody.json(
            Fields(
                startDate: startDate,
                endDate: endDate,
                notificationType: notificationType,
                notificationSubtype: notificationSubtype,
                transactionId: transactionId,
                onlyFailures: onlyFailures
            )
        )
    }

    private struct Fields: Encodable {
        let startDate: Timestamp
        let endDate: Timestamp
        let notificationType: String?
        let notificationSubtype: String?
        let transactionId: TransactionID?
        let onlyFailures: Bool?
    }

    /// The question for the page after `answer`.
    package func next(after answer: Answer) throws(AppStoreServerError) -> Self? {
        let place = try place(answer.paginationToken, hasMore: answer.hasMore, after: paginationToken)
        guard let place else { return nil }
        var next = self
        next.paginationToken = place
        return next
    }

    /// One page.
    package struct Answer: Decodable, Hashable, Sendable {
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
}

/// One attempt of Apple's to send a notification.
package struct SendAttempt: Decodable, Hashable, Sendable {
    package var attemptDate: Timestamp
    package var sendAttemptResult: SendAttemptResult
}

/// What became of an attempt; Apple's text is kept, known or not.
package struct SendAttemptResult: RawRepresentable, Decodable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// The server took it.
    package static let success = SendAttemptResult(rawValue: "SUCCESS")
}
