import Foundation

/// Randomness as it was passed in: the system's in a running simulator, seeded in a test.
struct Chance: RandomNumberGenerator, Sendable {
    let draw: @Sendable () -> UInt64

    static let system = Chance { UInt64.random(in: 0 ... .max) }

    mutating func next() -> UInt64 { draw() }

    func newUUID() -> String {
        var chance = self
        return UUID.random(using: &chance).uuidString.lowercased()
    }

    func strikes(_ probability: Double) -> Bool {
        var chance = self
        return probability >= 1 || Double.random(in: 0..<1, using: &chance) < probability
    }
}
