import TestKit

/// When whoever paid hands in the proof, on a phone where another login hands in the app receipt.
struct SharingScript: Equatable, Sendable {
    private static let delays = [0, 20, 300]

    /// So long after the other login began, in ms; nil is after that has its verdict, which is Apple's word alone.
    let delayMilliseconds: Int?

    init(using random: inout SeededRandom) {
        let isAfterwards = random.happens(perMille: 300)
        let delay = random.pick(Self.delays)
        delayMilliseconds = isAfterwards ? nil : delay
    }
}
