/// SplitMix64: small, quick, and the same numbers on every machine.
struct SimulatorRandom {
    private var state: UInt64

    init(seed: Int) {
        state = UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 &+ 0x1234_5678_9ABC_DEF1
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.scramble(state)
    }

    mutating func below(_ bound: Int) -> Int { Int(next() >> 33) % bound }

    mutating func within(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + below(range.upperBound - range.lowerBound + 1)
    }

    mutating func happens(perMille: Int) -> Bool { below(1_000) < perMille }

    /// A number that follows from `number` alone and looks like chance.
    static func mix(_ number: Int) -> Int {
        Int(scramble(UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15) >> 33)
    }

    private static func scramble(_ number: UInt64) -> UInt64 {
        var mixed = number
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
