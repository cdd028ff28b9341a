/// What Apple knows of an order of its own.
package struct AppleOrderV1: Codable, Hashable, Sendable {
    /// How the question stands.
    package enum State: String, Codable, Sendable, CaseIterable {
        /// Apple cannot be asked: the app has no key for the App Store Server API.
        case unaskable
        case asked
        case known
        /// It is none of this app.
        case unknown
    }

    package var state: State
    /// When Apple was asked last.
    package var askedAt: Timestamp? = nil
    package var transactionIds: [TransactionID] = []
}
