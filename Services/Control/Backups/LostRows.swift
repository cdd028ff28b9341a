import Contracts
import Delivery
import Foundation
import Program

/// What only the former store of a partition knew: no other store can tell it again.
///
/// Purchases come back, because Receipts, Orders and Entitlements each know them. What buyers spent, what they were
/// credited, and orders that nobody has paid are in one store alone.
struct LostRows {
    enum Finding: Equatable {
        /// The service has nothing that no other store can tell.
        case nothing
        case rows([String])
        /// Why the former store cannot say it.
        case unknown(String)
    }

    private static let ledger = """
        SELECT kind || ' of ' || amount || ' ' || entitlement || ', ' || environment || ', buyer ' || buyer_id
          || ' of ' || bundle_id || ', entry ' || entry_id
        FROM ledger WHERE kind IN ('spend', 'credit', 'spendReversal') AND time >=
        """
    private static let orders = """
        SELECT 'order ' || order_id || ' for ' || product_id || ', ' || environment || ', buyer ' || buyer_id
          || ' of ' || bundle_id
        FROM orders WHERE payment IN ('issued', 'deferred') AND issued_at >=
        """
    /// A clock that went back makes rows look older than the backup, ms.
    private static let clockTolerance: Int64 = 86_400_000

    private let store: BackupManifest.Store
    private let home: Home

    init(of store: BackupManifest.Store, in home: Home) {
        self.store = store
        self.home = home
    }

    func found() throws -> Finding {
        let query: String
        switch store.service {
        case .entitlements: query = Self.ledger
        case .orders: query = Self.orders
        case .receipts, .notifications: return .nothing
        }
        let place = home.store(of: store.address)
        guard FileManager.default.fileExists(atPath: place) else {
            return .unknown("there is no former store")
        }
        do {
            return try compare(place, query)
        } catch {
            return .unknown("the former store cannot be read: \(error)")
        }
    }

    private func compare(_ place: String, _ query: String) throws -> Finding {
        let since = " \(store.copiedAt.milliseconds - Self.clockTolerance)"
        let former = try OfflineStore(path: place, of: store.identity)
        let links = try former.links()
        let rows = try former.texts(query + since)
        try former.close()
        let known = store.contents.links
        guard !known.isEmpty, known.allSatisfy({ links[$0.key] == $0.value }) else {
            return .unknown("the store that lay there does not go on from the backup")
        }
        let backup = try OfflineStore(path: place + ".restored", of: store.identity)
        let kept = try backup.texts(query + since)
        try backup.close()
        return .rows(rows.subtracting(kept).sorted())
    }
}
