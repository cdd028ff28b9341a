/// What a phone did for an order, for support: it travels with the order and decides nothing.
public enum StepLog {
    /// The most entries that an order has; further ones are left out.
    public static let maximumEntries = 64
    /// The longest `code` and `domain`, in characters.
    public static let maximumTextLength = 64

    /// What a phone did: `asked` is StoreKit, `kept` the store, `answered` an answer to the proof, `pending` approval.
    public enum Step: String, Codable, Sendable, CaseIterable {
        case ordered, asked, paid, pending, cancelled, failed, kept, notKept, answered, finished
    }

    /// One step.
    public struct Entry: Codable, Equatable, Sendable {
        /// Milliseconds since 1970, by the phone's clock.
        public let at: Int64
        /// What the phone did then.
        public let step: Step
        /// StoreKit's error, or the gateway's word.
        public var code: String?
        /// Of StoreKit's error.
        public var domain: String?
    }
}
