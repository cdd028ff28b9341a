import TestKit

/// How another login restores what was bought, so that it moves.
struct TransferScript: Equatable, Sendable {
    /// How long a period of a subscription lasts, in ms: longer than a run.
    static let periodLength: Int64 = 86_400_000

    /// Whether the restore is submitted once more after its answer.
    let isRepeated: Bool
    /// Whether Apple renews a subscription afterwards.
    let isRenewed: Bool
    /// Whether whoever paid restores it afterwards, which comes too early by a month.
    let isAskedBack: Bool

    init(using random: inout SeededRandom) {
        isRepeated = random.happens(perMille: 250)
        isRenewed = random.flip()
        isAskedBack = random.happens(perMille: 400)
    }
}
