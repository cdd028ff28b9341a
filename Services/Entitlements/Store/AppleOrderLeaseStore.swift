import Contracts
import Database
import Delivery
import Domain

/// Which orders of Apple's are reserved for which proposals, and until when.
struct AppleOrderLeaseStore {
    /// Leases that have ended, deleted with each reservation.
    private static let deletedAtOnce = 100

    let connection: any Connection

    /// The lease on an order, which may have ended.
    func lease(on request: AppleOrderReserveV1) throws(StoreError) -> AppleOrderLease? {
        let row = try connection.row(
            """
            SELECT proposal_id, attempt, ends_at FROM apple_order_lease
            WHERE bundle_id = \(request.bundleId) AND apple_order_id = \(request.appleOrderId)
            """
        )
        guard let row else { return nil }
        return AppleOrderLease(
            of: try row["proposal_id"],
            attempt: try row["attempt"],
            endsAt: try row["ends_at"]
        )
    }

    /// Puts a lease in the place of the one before.
    func save(_ lease: AppleOrderLease, on request: AppleOrderReserveV1) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO apple_order_lease (bundle_id, apple_order_id, proposal_id, attempt, ends_at)
            VALUES (\(request.bundleId), \(request.appleOrderId), \(lease.holder), \(lease.attempt),
              \(lease.endsAt))
            ON CONFLICT (bundle_id, apple_order_id) DO UPDATE
            SET proposal_id = excluded.proposal_id, attempt = excluded.attempt, ends_at = excluded.ends_at
            """
        )
    }

    /// Ends the lease of an attempt; that of another one stays, of the same proposal, too.
    func free(_ request: AppleOrderReserveV1) throws(StoreError) {
        try connection.execute(
            """
            DELETE FROM apple_order_lease
            WHERE bundle_id = \(request.bundleId) AND apple_order_id = \(request.appleOrderId)
              AND proposal_id = \(request.proposalId) AND attempt = \(request.attempt)
            """
        )
    }

    /// Forgets leases that nobody has freed, the oldest first.
    func deleteEnded(at now: Timestamp) throws(StoreError) {
        try connection.execute(
            """
            DELETE FROM apple_order_lease WHERE (bundle_id, apple_order_id) IN
              (SELECT bundle_id, apple_order_id FROM apple_order_lease WHERE ends_at <= \(now)
              ORDER BY ends_at LIMIT \(Self.deletedAtOnce))
            """
        )
    }
}
