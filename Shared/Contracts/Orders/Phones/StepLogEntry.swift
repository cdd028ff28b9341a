/// A step of a phone's way through an order, as its client kit notes it: for support, and deciding nothing.
package struct StepLogEntry: Codable, Hashable, Sendable {
    /// What the phone did.
    package enum Step: String, Codable, Sendable, CaseIterable {
        case ordered, asked, paid, pending, cancelled, failed, kept, notKept, answered, finished
    }

    /// When, by the phone's clock.
    package var at: Timestamp
    package var step: Step
    /// StoreKit's error, or the gateway's word: any text, control characters included.
    package var code: String? = nil
    /// Of StoreKit's error: any text.
    package var domain: String? = nil
}
