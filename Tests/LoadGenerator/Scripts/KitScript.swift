import TestKit

extension Shares {
    /// What phones that are processes of their own can play; the rest buys plainly.
    static let kit = Shares(parts: [.late: 0.1, .tokenTwice: 0.1, .duplicates: 0.1])

    /// Whether such phones can play all of it.
    var suitsKit: Bool { parts.allSatisfy { $0.value == 0 || Self.kit.has($0.key) } }
}

extension ScriptGenerator {
    /// The most lives of a phone that end by a plan.
    private static let mostDeaths = 3
    /// A plain purchase has about so many points at which its phone may die.
    private static let points = 12
    /// So long after its launch a phone has usually got through, in ms.
    private static let longestLife = 150

    /// How the first lives of a customer's phone end; of equal seeds and numbers, equally.
    func deaths(_ number: Int) -> [KitWatch.Death] {
        var random = SeededRandom(seed: seed &+ UInt64(number) &* 0xA076_1D64_78BD_642F)
        return (0..<random.below(Self.mostDeaths + 1)).map { _ in
            switch random.below(4) {
            case 0: .sending
            case 1: .after(milliseconds: random.below(Self.longestLife))
            case _: .atPoint(1 + random.below(Self.points))
            }
        }
    }
}
