import Synchronization

/// How many values this process has converted since its start.
package enum ConversionCounts {
    private static let encodedValues = Atomic<Int>(0)
    private static let decodedValues = Atomic<Int>(0)

    /// Values written as JSON.
    package static var encoded: Int { encodedValues.load(ordering: .relaxed) }
    /// Values read from JSON.
    package static var decoded: Int { decodedValues.load(ordering: .relaxed) }

    static func countEncoding() { encodedValues.wrappingAdd(1, ordering: .relaxed) }
    static func countDecoding() { decodedValues.wrappingAdd(1, ordering: .relaxed) }
}
