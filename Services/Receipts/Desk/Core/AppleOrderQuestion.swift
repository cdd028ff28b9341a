import Contracts

/// Whether Apple is asked about one of its orders, and what is known of it.
///
/// Tested by: `DeskTests`.
///
/// | known                       | asked when                | answer    |
/// |-----------------------------|---------------------------|-----------|
/// | nothing                     | now                       | –         |
/// | asked, no answer yet        | after `pause`             | `asked`   |
/// | Apple knows no such order   | after `pause`             | `unknown` |
/// | Apple knows it              | never again               | `known`   |
/// | forgotten after `retention`, unless Apple knows it | now | – |
struct AppleOrderQuestion: Equatable, Sendable {
    /// Between two questions about one order, ms.
    static let pause: Int64 = 60_000
    /// How long it is kept that somebody has asked about an order of which Apple names nothing, ms: 30 days.
    static let retention: Int64 = 30 * 86_400_000

    private let askedAt: Timestamp?
    private let transactions: [TransactionID]?

    init(askedAt: Timestamp?, transactions: [TransactionID]?) {
        (self.askedAt, self.transactions) = (askedAt, transactions)
    }

    func isDue(at now: Timestamp) -> Bool {
        guard let askedAt else { return true }
        if let transactions, !transactions.isEmpty { return false }
        // One that lies ahead was written by a clock that was wrong.
        return now < askedAt || now >= askedAt.advanced(by: Self.pause)
    }

    var answer: AppleOrderV1 {
        guard let transactions else { return AppleOrderV1(state: .asked, askedAt: askedAt) }
        let state: AppleOrderV1.State = transactions.isEmpty ? .unknown : .known
        return AppleOrderV1(state: state, askedAt: askedAt, transactionIds: transactions)
    }
}
