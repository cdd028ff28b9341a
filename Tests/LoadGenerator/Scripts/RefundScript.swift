import TestKit

/// What Apple says of a payment after it gave money back, one statement after the other.
struct RefundScript: Equatable, Sendable {
    /// One statement of Apple's.
    enum Statement: Equatable, Sendable {
        /// In milliunits of a percent; nil is all of it.
        case refunded(percentage: Int?)
        case reversed
    }

    /// Parts that do not divide most amounts, too.
    private static let percentages = [1_000, 25_000, 33_333, 50_000, 99_999]

    let statements: [Statement]
    /// Which period of a subscription, 0 for the first; 0 of anything else.
    let period: Int
    /// Whether Apple speaks while the phone hands the proof in, and not after it.
    let isEarly: Bool
    /// Whether the statements are on their way at once, in no order.
    let isAtOnce: Bool
    /// Whether the phone hands in its old proof once more afterwards.
    let isStaleProofSent: Bool

    init(ofPeriod period: Int? = nil, using random: inout SeededRandom) {
        let share = random.flip() ? nil : random.pick(Self.percentages)
        var statements = [Statement.refunded(percentage: share)]
        if random.happens(perMille: 400) {
            statements.append(.reversed)
            if random.happens(perMille: 400) { statements.append(.refunded(percentage: nil)) }
        }
        self.statements = statements
        self.period = period ?? 0
        isEarly = period == nil && random.happens(perMille: 250)
        isAtOnce = random.happens(perMille: 300)
        isStaleProofSent = random.happens(perMille: 300)
    }
}
