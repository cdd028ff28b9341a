import TestKit

/// How a subscription goes on after its first period, by Apple's notifications alone.
struct SubscriptionScript: Equatable, Sendable {
    /// One more period.
    enum Step: Equatable, Sendable {
        /// From the end of the last one.
        case renewal
        /// From now on, of a product that may be the same, for so many ms.
        case upgrade(product: Int, length: Int64)
    }

    private static let day: Int64 = 86_400_000
    /// A run lasts less than the shorter of them, and longer than most of the others.
    private static let longLengths = [day, 30 * day]
    private static let shortLengths: ClosedRange<Int64> = 1_000...12_000
    private static let mostSteps = 3

    /// Of each period, in ms.
    let length: Int64
    let steps: [Step]
    /// Whether the renewal after the last step fails: the access goes on for so long, in ms, then.
    let gracePeriod: Int64?
    /// Whether the notifications are on their way at once, in no order.
    let isAtOnce: Bool
    /// Whether Apple delivers each notification twice.
    let isDeliveredTwice: Bool

    init(products: [Int], using random: inout SeededRandom) {
        length =
            random.happens(perMille: 400)
            ? random.within(Self.shortLengths) : random.pick(Self.longLengths)
        var steps: [Step] = []
        for _ in 0..<random.within(0...Self.mostSteps) {
            guard random.happens(perMille: 300) else {
                steps.append(.renewal)
                continue
            }
            let length = random.flip() ? random.within(Self.shortLengths) : random.pick(Self.longLengths)
            steps.append(.upgrade(product: random.pick(products), length: length))
        }
        self.steps = steps
        gracePeriod = random.happens(perMille: 200) ? random.pick([2_000, Self.day]) : nil
        isAtOnce = random.happens(perMille: 300)
        isDeliveredTwice = random.happens(perMille: 150)
    }
}
