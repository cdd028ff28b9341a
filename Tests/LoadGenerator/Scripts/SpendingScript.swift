import TestKit

/// What is done with an amount that was bought.
struct SpendingScript: Equatable, Sendable {
    /// One amount that is spent.
    struct Spend: Equatable, Sendable {
        /// Of what was bought, in thousandths.
        let perMille: Int64
        /// Whether it is asked for twice at once, with the same key.
        let isDoubled: Bool
        /// Whether the key is used once more after the answer.
        let isRepeated: Bool
        let isReversed: Bool
    }

    /// They may ask for more than was bought: whether there is enough depends on what the buyer has besides.
    let spends: [Spend]
    /// What is earned before, if anything is.
    let credit: Int64?
    /// Which of the bought amounts, counted in the order of their names.
    let entitlement: Int

    init(using random: inout SeededRandom) {
        spends = (0..<random.within(1...3)).map { _ in
            Spend(
                perMille: random.within(1...600),
                isDoubled: random.happens(perMille: 200),
                isRepeated: random.happens(perMille: 200),
                isReversed: random.happens(perMille: 250)
            )
        }
        credit = random.happens(perMille: 400) ? random.within(1...50) : nil
        entitlement = random.below(4)
    }
}
