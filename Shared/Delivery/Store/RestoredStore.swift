package import Contracts
package import Database
import Domain

/// A store that was put back from a backup: other services tell it again what it has lost.
package struct RestoredStore {
    /// How long that may take in a large group, in ms; what is concluded from missing facts waits as long.
    package static let grace: Int64 = 600_000

    private let connection: any Connection

    package init(connection: any Connection) { self.connection = connection }

    func mark(at now: Timestamp) throws(StoreError) {
        try connection.execute("UPDATE partition_owner SET restored_at = \(now) WHERE only = 1")
    }

    /// Until when facts may be missing; nil if the store was never restored, or long ago.
    package func incomplete(at now: Timestamp) throws(StoreError) -> Timestamp? {
        let restored: Timestamp? = try connection.value(
            "SELECT restored_at FROM partition_owner WHERE only = 1"
        )
        guard let end = restored?.advanced(by: Self.grace) else { return nil }
        return DueTimes(at: now, longestPause: Self.grace).contains(end) ? nil : end
    }
}
