/// A subscription of one buyer, as Apple signed it, and the access that follows.
///
/// A period gives access from its beginning to the earliest of its refund, the beginning of the next period, and its
/// expiry; after the last one, to the end of a grace period, unless Apple spoke of that before the period began.
struct Chain: Sendable {
    /// One period; milliseconds since 1970.
    struct Period: Sendable {
        let transaction: UInt64
        let product: UInt8
        let begins: Int64
        let ends: Int64
        var revoked: Int64?
    }

    /// What Apple said of the next renewal; what was signed last holds.
    struct Renewal: Sendable {
        let signed: Int64
        var gracePeriodEnds: Int64?
        var isAcknowledged = false
    }

    /// The time in which a period gives access.
    struct Span: Sendable {
        let period: Period
        let time: Range<Int64>
    }

    let original: UInt64
    let buyer: Int32
    var periods: [Period] = []
    var renewals: [Renewal] = []

    init(_ original: UInt64, of buyer: Int32) { (self.original, self.buyer) = (original, buyer) }

    private var renewal: Renewal? {
        renewals.filter(\.isAcknowledged).max { $0.signed < $1.signed }
    }

    /// What Apple said of the renewal after a period; what it said before is about an earlier one.
    private func failure(after period: Period) -> Int64? {
        renewal.flatMap { $0.signed >= period.begins ? $0.gracePeriodEnds : nil }
    }

    private var inOrder: [Period] { periods.sorted { $0.begins < $1.begins } }

    /// By time; none is empty.
    var spans: [Span] {
        let inOrder = inOrder
        return inOrder.indices.compactMap { index in
            let period = inOrder[index]
            let next = index + 1 < inOrder.count ? inOrder[index + 1].begins : nil
            let expiry = next == nil ? max(period.ends, failure(after: period) ?? .min) : period.ends
            let end = min(expiry, next ?? .max, period.revoked ?? .max)
            return period.begins < end ? Span(period: period, time: period.begins..<end) : nil
        }
    }

    /// As the gateway must answer at a moment; nil as long as no period is known.
    func subscription(at moment: Int64, _ products: [Product]) -> Access.Subscription? {
        guard let last = inOrder.last else { return nil }
        let spans = spans
        let current = spans.last { $0.time.contains(moment) }?.period
        let told = current ?? last
        return Access.Subscription(
            originalTransactionId: String(original),
            productId: products[Int(told.product)].id,
            transactionId: String(told.transaction),
            state: state(current, last, at: moment),
            accessUntil: spans.map(\.time.upperBound).max(),
            expires: told.ends,
            autoRenew: renewal.map { _ in true }
        )
    }

    private func state(_ current: Period?, _ last: Period, at moment: Int64) -> String {
        if let current { return moment < current.ends ? "active" : "grace" }
        if last.revoked != nil { return "revoked" }
        return failure(after: last) == nil ? "expired" : "billingRetry"
    }
}
