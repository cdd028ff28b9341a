import Delivery

/// Random numbers of a test: the same seed gives the same numbers on every machine.
package struct SeededRandom: RandomNumberGenerator, Sendable {
    private var generator: SplitMix64

    package init(seed: some BinaryInteger) {
        generator = SplitMix64(state: UInt64(truncatingIfNeeded: seed))
    }

    /// The next 64 bits.
    package mutating func next() -> UInt64 { generator.next() }

    /// A number from 0 up to `bound`, without it.
    package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    /// A number of a range, its ends included.
    package mutating func within<Number: FixedWidthInteger>(_ range: ClosedRange<Number>) -> Number {
        range.lowerBound + Number(next() % (UInt64(range.upperBound - range.lowerBound) + 1))
    }

    /// A number below `bound` that depends on nothing but `key`.
    package static func draw(_ key: Int, below bound: Int) -> Int {
        var random = SeededRandom(seed: key)
        return random.below(bound)
    }

    /// Whether something happens that does so `perMille` times in a thousand.
    package mutating func happens(perMille: Int) -> Bool { below(1_000) < perMille }

    /// Whether a coin falls on its head.
    package mutating func flip() -> Bool { happens(perMille: 500) }

    /// One of these, which must not be none.
    package mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
