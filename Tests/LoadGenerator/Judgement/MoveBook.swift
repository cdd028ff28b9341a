/// Purchases that another login restores, and what ledgers say of their moves.
///
/// A possession leaves the ledger of whoever paid and comes to the other login's, each once; amounts stay.
struct MoveBook: Sendable {
    /// One purchase that moves.
    struct Move: Sendable {
        let from: Int32
        let to: Int32
        /// Whether the gateway has said that it is granted to `to`.
        var isAnswered = false
        fileprivate var out: [String: Int] = [:]
        fileprivate var into: [String: Int] = [:]
    }

    /// By the payment.
    private(set) var all: [UInt64: Move] = [:]

    // MARK: What phones say

    /// Another login is about to restore a payment that was granted.
    mutating func begin(_ payment: UInt64, from: Int32, to: Int32) {
        all[payment] = Move(from: from, to: to)
    }

    /// The gateway has said that it is granted to whoever restored it.
    mutating func noteAnswer(_ payment: UInt64) { all[payment]?.isAnswered = true }

    // MARK: What ledgers say

    /// What an entry of a ledger is.
    enum Finding: Equatable { case right, wrongBuyer, unexplained }

    /// Takes an entry with which a possession leaves a ledger or comes to it.
    mutating func note(
        _ entry: LedgerPage.Entry,
        of payment: UInt64,
        _ product: Product,
        in buyer: Int32
    ) -> Finding {
        guard let move = all[payment], product.possessions.contains(entry.entitlement) else {
            return .unexplained
        }
        let isIn = entry.kind == "transferIn"
        let entries: WritableKeyPath<Move, [String: Int]> = isIn ? \.into : \.out
        all[payment]?[keyPath: entries][entry.entitlement, default: 0] += 1
        return buyer == (isIn ? move.to : move.from) ? .right : .wrongBuyer
    }

    /// Whether the new holder's ledger has all possessions of a product.
    func hasCome(_ payment: UInt64, _ product: Product) -> Bool {
        all[payment].map { Set($0.into.keys) == product.possessions } ?? false
    }

    // MARK: The verdict

    var count: Int { all.values.count(where: \.isAnswered) }

    /// Those that must be with their new holders and are not, or that have left one ledger and come to no other.
    func lost(_ product: (UInt64) -> Product?) -> Set<UInt64> {
        Set(
            all.filter { payment, move in
                guard let product = product(payment) else { return false }
                return (move.isAnswered || !move.out.isEmpty) && !hasCome(payment, product)
            }.keys
        )
    }

    /// Those that are said to have come without having left, or that have moved more than once.
    var twice: Set<UInt64> {
        Set(
            all.filter { _, move in
                move.isAnswered && !Set(move.into.keys).isSubset(of: move.out.keys)
                    || [move.into, move.out].contains { $0.values.contains { $0 > 1 } }
            }.keys
        )
    }
}
