import Foundation

/// Randomness as it was passed in: the system's in a running simulator, seeded in a test.
struct Chance: RandomNumberGenerator, Sendable {
    let draw: @Sendable () -> UInt64

    static let system = Chance { UInt64.random(in: 0 ... .max) }

    mutating func next() -> UInt64 { draw() }

    func newUUID() -> String {
        let digits = [draw(), draw()].map { String($0, radix: 16) }
            .map { String(repeating: "0", count: 16 - $0.count) + $0 }
            .joined()
        let ends = [8, 12, 16, 20, 32]
        var start = 0
        return ends.map { end in
            defer { start = end }
            return String(digits.dropFirst(start).prefix(end - start))
        }.joined(separator: "-")
    }

    func strikes(_ probability: Double) -> Bool {
        var chance = self
        return probability >= 1 || Double.random(in: 0..<1, using: &chance) < probability
    }
}
