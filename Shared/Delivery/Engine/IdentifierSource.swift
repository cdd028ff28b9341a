package import Contracts

/// The source of new ids: the system's randomness, or a seed that gives the same ids every time.
package final class IdentifierSource {
    private var generator: any RandomNumberGenerator
    private var restarted: SplitMix64?

    package init() { generator = SystemRandomNumberGenerator() }

    package init(seed: UInt64) { generator = SplitMix64(state: seed) }

    /// 64 random bits.
    package func random() -> UInt64 { restarted?.next() ?? generator.next() }

    /// Restarts with a new seed, for a record of what follows.
    ///
    /// - Returns: the seed; it has 53 bits, so that every JSON tool preserves it.
    func restart() -> UInt64 {
        let seed = generator.next() >> 11
        restart(seed: seed)
        return seed
    }

    func restart(seed: UInt64) { restarted = SplitMix64(state: seed) }

    /// A unique id: 128 random bits in hexadecimal.
    package func eventID() -> EventID {
        EventID(unchecked: Self.hexadecimal(random()) + Self.hexadecimal(random()))
    }

    private static func hexadecimal(_ bits: UInt64) -> String {
        String(unsafeUninitializedCapacity: 16) { buffer in
            for index in 0..<16 {
                let digit = UInt8(truncatingIfNeeded: bits >> (60 - 4 * UInt64(index))) & 0x0F
                buffer[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
            }
            return 16
        }
    }
}

/// Steele, Lea and Flood's generator: small, and the same on every machine.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(state: UInt64) { self.state = state }

    /// The next 64 bits.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
