package import Contracts
import Glibc
import NIOConcurrencyHelpers

/// The source of new ids: the system's randomness, or a seed that gives the same ids every time.
package final class IdentifierSource {
    private static let process = NIOLockedValueBox(BlockGenerator())

    private var generator: any RandomNumberGenerator
    private var restarted: SplitMix64?

    package init() { generator = BlockGenerator() }

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
    package func eventID() -> EventID { Self.eventID(random(), random()) }

    /// A unique id for any thread.
    package static func eventID() -> EventID {
        let (first, second) = process.withLockedValue { ($0.next(), $0.next()) }
        return eventID(first, second)
    }

    private static func eventID(_ first: UInt64, _ second: UInt64) -> EventID {
        let text = String(unsafeUninitializedCapacity: 32) { buffer in
            for index in 0..<32 {
                let bits = index < 16 ? first : second
                let digit = UInt8(truncatingIfNeeded: bits >> (60 - 4 * UInt64(index & 15))) & 0x0F
                buffer[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
            }
            return 32
        }
        return EventID(unchecked: text)
    }
}

/// The system's randomness, drawn in blocks, because every draw is a system call.
struct BlockGenerator: RandomNumberGenerator {
    /// 256 bytes, the most that come at once (getentropy(3)).
    static let blockNumbers = 32

    private var block: [UInt64] = []

    mutating func next() -> UInt64 {
        if block.isEmpty { block = Self.draw() }
        return block.removeLast()
    }

    private static func draw() -> [UInt64] {
        [UInt64](unsafeUninitializedCapacity: blockNumbers) { buffer, count in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            precondition(getentropy(bytes.baseAddress, bytes.count) == 0, "the system has no randomness")
            count = blockNumbers
        }
    }
}
