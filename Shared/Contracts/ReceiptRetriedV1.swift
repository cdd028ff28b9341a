/// How much was sent on its way again.
package struct ReceiptRetriedV1: Codable, Hashable, Sendable {
    package var submissions: Int
    package var transactions: Int

    /// The answer to a retry: how many submissions and how many orphaned transactions.
    package init(submissions: Int, transactions: Int) {
        self.submissions = submissions
        self.transactions = transactions
    }
}
