import Glibc
import NIOConcurrencyHelpers

/// Checked chains by the header that carried them.
///
/// Apple sends one header for weeks, and a chain check costs twenty signature checks. Only headers with a
/// good signature are cached, so a stranger cannot fill it. Each payload's time is compared with the chain's
/// window.
struct ChainCache<LeafKey: Sendable>: Sendable {
    typealias Leaf = VerifiedLeaf<LeafKey>

    /// Apple has a handful at a time; the oldest goes first.
    static var defaultCapacity: Int { 64 }

    private struct State: Sendable {
        var leaves: [Key: Leaf] = [:]
        var order: [Key] = []
    }

    private let capacity: Int
    private let state = NIOLockedValueBox(State())

    init(capacity: Int = defaultCapacity) { self.capacity = max(1, capacity) }

    var count: Int { state.withLockedValue { $0.order.count } }

    /// Recently verified chains, each once, the newest first: many headers may carry one.
    var chains: [VerifiedChain] {
        var seen: Set<VerifiedChain> = []
        return state.withLockedValue { state in state.order.reversed().compactMap { state.leaves[$0]?.chain }
        }
        .filter { seen.insert($0).inserted }
    }

    func leaf(for header: ArraySlice<UInt8>) -> Leaf? {
        let key = Key(header)
        return state.withLockedValue { $0.leaves[key] }
    }

    func insert(_ leaf: Leaf, for header: ArraySlice<UInt8>) {
        let key = Key(ArraySlice(Array(header)))
        state.withLockedValue { state in
            guard state.leaves.updateValue(leaf, forKey: key) == nil else { return }
            state.order.append(key)
            if state.order.count > capacity { state.leaves[state.order.removeFirst()] = nil }
        }
    }

    /// Hashed at once, outside the lock: `Array` hashes byte by byte, slower than the rest of a lookup.
    private struct Key: Hashable, Sendable {
        let bytes: ArraySlice<UInt8>
        let digest: Int

        init(_ bytes: ArraySlice<UInt8>) {
            self.bytes = bytes
            var hasher = Hasher()
            bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
            digest = hasher.finalize()
        }

        func hash(into hasher: inout Hasher) { hasher.combine(digest) }

        static func == (left: Key, right: Key) -> Bool {
            guard left.digest == right.digest, left.bytes.count == right.bytes.count else { return false }
            return left.bytes.withUnsafeBytes { leftBytes in
                right.bytes.withUnsafeBytes { rightBytes in
                    guard let left = leftBytes.baseAddress, let right = rightBytes.baseAddress else {
                        return true
                    }
                    return memcmp(left, right, leftBytes.count) == 0
                }
            }
        }
    }
}
