/// Whether Apple is asked for the history to which a purchase of an app receipt belongs.
///
/// The receipt does not say whose the purchase is, and Apple may.
package enum HistoryInquiry: String, Codable, Sendable, CaseIterable {
    /// The partition of the receipt asks, or has the question stored.
    case asked
    /// Nobody does; the claim asks if it has to know.
    case unasked
}
