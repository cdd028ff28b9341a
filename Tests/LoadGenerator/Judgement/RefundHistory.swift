/// What Apple said of the money that was given back for one payment.
struct RefundHistory: Sendable {
    /// All of a price, in Apple's milliunits of a percent.
    static let all: Int64 = 100_000

    /// One statement of Apple's, of which the one that was signed last holds.
    struct Statement: Sendable {
        /// Milliseconds since 1970, as `revoked`.
        let signed: Int64
        /// From 0 to `all`; 0 where a refund was reversed.
        let share: Int64
        let revoked: Int64?
        var isAcknowledged = false
    }

    /// Whether the payment is a period of a subscription, which any refund ends.
    let isPeriod: Bool
    private(set) var statements: [Statement] = []

    init(isPeriod: Bool) { self.isPeriod = isPeriod }

    mutating func add(_ statement: Statement) { statements.append(statement) }

    mutating func noteAcknowledgement(ofSigned signed: Int64) {
        for index in statements.indices where statements[index].signed == signed {
            statements[index].isAcknowledged = true
        }
    }

    /// Whether nothing can come any more that is not acknowledged.
    var isCertain: Bool { statements.allSatisfy(\.isAcknowledged) }
    var isAcknowledged: Bool { statements.contains(where: \.isAcknowledged) }

    private var last: Statement? { statements.filter(\.isAcknowledged).max { $0.signed < $1.signed } }

    /// What may hold in the end: the last that was acknowledged, and every later one that was not.
    var possibleShares: [Int64] {
        let last = last
        let open = statements.filter { !$0.isAcknowledged && $0.signed > last?.signed ?? .min }
        return [last?.share ?? 0] + open.map(\.share)
    }

    /// Since when a period gives no access any more; nil if it does.
    var revoked: Int64? { last?.revoked }

    /// Whether the payment may be in no ledger at all: a refund of everything came before the grant.
    ///
    /// Notifications take roads of their own, so that this does not depend on when they were sent.
    var mayComeFirst: Bool { possibleShares.contains { isPeriod ? $0 > 0 : $0 == Self.all } }

    /// What a refund of a share takes back of an amount; parts are rounded up.
    private func due(_ amount: Int64, _ share: Int64) -> Int64 {
        if isPeriod { return share > 0 ? amount : 0 }
        return (amount * share + Self.all - 1) / Self.all
    }

    /// What must have been taken of an amount, where `net` was by the ledger, which decides among what is possible.
    ///
    /// Of an entitlement whose balance stops at zero less may be taken than is due.
    func taken(of amount: Int64, net: Int64, hasFloor: Bool) -> Int64 {
        let dues = possibleShares.map { due(amount, $0) }
        let isPossible = dues.contains { hasFloor ? (0...$0).contains(net) : $0 == net }
        return isPossible ? net : dues[0]
    }
}
