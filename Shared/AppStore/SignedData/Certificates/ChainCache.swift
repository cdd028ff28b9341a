import FoundationEssentials
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

    private let capacity: Int
    /// The oldest first; `Data` compares whole blocks, which is quicker than to hash a header.
    private let entries = NIOLockedValueBox<[(header: Data, leaf: Leaf)]>([])

    init(capacity: Int = defaultCapacity) { self.capacity = capacity }

    var count: Int { entries.withLockedValue { $0.count } }

    /// Recently verified chains, each once, the newest first: many headers may carry one.
    var chains: [VerifiedChain] {
        var seen: Set<VerifiedChain> = []
        return entries.withLockedValue { $0 }.reversed().map(\.leaf.chain).filter { seen.insert($0).inserted }
    }

    func leaf(for header: some DataProtocol) -> Leaf? {
        let header = Data(header)
        // Compared outside the lock: strangers can choose how long that takes.
        return entries.withLockedValue { $0 }.last { $0.header == header }?.leaf
    }

    func insert(_ leaf: Leaf, for header: some DataProtocol) {
        let header = Data(header)
        entries.withLockedValue { entries in
            guard !entries.contains(where: { $0.header == header }) else { return }
            entries.append((header, leaf))
            if entries.count > capacity { entries.removeFirst() }
        }
    }
}
