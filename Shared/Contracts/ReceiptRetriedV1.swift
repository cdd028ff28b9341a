/// How much was sent on its way again.
package struct ReceiptRetriedV1: Codable, Hashable, Sendable {
    package var submissions: Int
    package var transactions: Int
    package var notifications: Int

    /// The answer to a retry: how many submissions, orphaned transactions and parked notifications.
    package init(submissions: Int, transactions: Int, notifications: Int) {
        self.submissions = submissions
        self.transactions = transactions
        self.notifications = notifications
    }
}
