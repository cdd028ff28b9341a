import Contracts
import NIOConcurrencyHelpers

/// Counts proofs that cannot be read, by app and shape: a new version of an app may send all of its proofs wrongly.
struct MalformedProofs: Sendable {
    /// The shape of a proof that is malformed in a way of its own.
    static let otherShape = "other"

    struct Key: Hashable {
        let app: BundleID
        let shape: String
    }

    private let state = NIOLockedValueBox<[Key: Int]>([:])

    /// By app and shape.
    var counts: [(key: Key, value: Int)] {
        state.withLockedValue { $0 }.sorted { ($0.key.app, $0.key.shape) < ($1.key.app, $1.key.shape) }
    }

    func count(_ shape: ProofShape?, of app: BundleID) {
        let key = Key(app: app, shape: shape?.name ?? Self.otherShape)
        state.withLockedValue { $0[key, default: 0] += 1 }
    }
}
