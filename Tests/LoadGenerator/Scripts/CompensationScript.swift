import TestKit

/// What becomes of an order for which operators make up.
struct CompensationScript: Equatable, Sendable {
    /// When the proof comes, and whether the compensation is taken back.
    enum Course: CaseIterable, Sendable {
        case neverProven, provenLate, provenAtOnce, provenAfterReversal
    }

    let course: Course
    /// Whether the confirmation is asked for once more after the answer.
    let isRepeated: Bool

    init(using random: inout SeededRandom) {
        course = random.pick(Course.allCases)
        isRepeated = random.happens(perMille: 250)
    }
}
