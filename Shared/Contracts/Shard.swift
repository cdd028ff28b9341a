/// The first 16 bits of SHA-256 over a key; it decides which partition owns the key.
///
/// `Domain/PartitionKey.swift` computes it; ids carry it.
package struct Shard: Hashable, Sendable, Codable, RawRepresentable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The partition of the shard among `count` partitions.
    package func partition(of count: Int) -> Int { Int(rawValue) % count }
}
