/// Asks Apple on an operator's behalf: one page of what it knows; nothing is changed by it.
///
/// - Sent by: operator
/// - Received by: receipts (any partition; the one that is asked is the one that calls)
package struct AppleAskV1: Request, Hashable {
    package typealias Reply = AppleAnswerV1

    package static let type: EventType = "counterfoil.apple.ask.v1"

    /// What is asked for.
    package enum Question: String, Codable, Sendable, CaseIterable {
        /// The notifications that Apple sent or tried to send from `since` to `until`.
        case notifications
        /// Everything that the customer of `transactionId` bought in the app, changed after `since`.
        case history
        /// The transactions of `appleOrderId`; there are none in the sandbox.
        case order
    }

    package var bundleId: BundleID
    /// Production or Sandbox.
    package var environment: Environment
    package var question: Question
    package var since: Timestamp?
    package var until: Timestamp?
    package var transactionId: TransactionID?
    /// The order's number on the buyer's e-mail.
    package var appleOrderId: String?
    /// `AppleAnswerV1.next` of the page before; nil for the first.
    package var page: String?

    package init(bundleId: BundleID, environment: Environment, question: Question) {
        self.bundleId = bundleId
        self.environment = environment
        self.question = question
    }
}
