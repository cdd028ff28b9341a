/// A reconciliation found a transaction at Apple; its claim is checked.
///
/// Where the purchase has gone to another chain, it is checked there, under that one's original transaction id.
///
/// - Sent by: receipts (partition of the reconciliation, or of an alias)
/// - Received by: receipts (partition of the original transaction id)
package struct TransactionFoundV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.transaction.found.v1"
    /// Every field of a signed transaction of up to 128 KiB.
    package static let maximumBytes = 160 << 10

    /// What to do besides comparing.
    package enum Action: String, Codable, Sendable, CaseIterable {
        /// Nothing: the operator only compares.
        case dryRun
        /// Nothing: the app does not accept it.
        case refuse
        /// Submit the notification; its transaction is parked with it.
        case submitServerNotification
        /// Submit the transaction and any notification.
        case submit
    }

    package var reconciliationId: EventID
    package var transaction: SignedTransaction
    /// The notification to submit; nil when the transaction was requested directly.
    package var serverNotification: ServerNotificationRecoveredV1? = nil
    package var action: Action
    /// The original transaction ids of the chains that have sent it on; nil if none has.
    package var aliases: [TransactionID]? = nil
}
