/// A reconciliation found a transaction at Apple, which meets its claim there.
///
/// - Sent by: receipts (partition of the reconciliation)
/// - Received by: receipts (partition of the original transaction id)
package struct TransactionFoundV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.transaction.found.v1"

    /// What is done besides comparing.
    package enum Action: String, Codable, Sendable, CaseIterable {
        /// Nothing: the operator only wants to see it.
        case dryRun
        /// Nothing: the app does not take it.
        case refuse
        /// The notification is submitted; its transaction is parked with it.
        case submitNotification
        /// The notification, if there is one, and the transaction are submitted.
        case submit
    }

    package var reconciliationId: EventID
    /// Every field that Apple signed.
    package var transaction: SignedTransaction
    /// The notification about it that is submitted; nil where a transaction was asked for.
    package var notification: NotificationRecoveredV1?
    package var action: Action

    package init(
        reconciliationId: EventID,
        transaction: SignedTransaction,
        notification: NotificationRecoveredV1? = nil,
        action: Action
    ) {
        self.reconciliationId = reconciliationId
        self.transaction = transaction
        self.notification = notification
        self.action = action
    }
}
