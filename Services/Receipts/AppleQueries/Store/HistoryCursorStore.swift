import Contracts
import Database
import Delivery

struct HistoryCursorStore {
    let connection: any Connection

    func cursor(_ bundleID: BundleID, _ environment: Environment) throws(StoreError) -> HistoryCursor? {
        try connection.content(
            "SELECT content FROM history_cursor WHERE bundle_id = \(bundleID) AND environment = \(environment)"
        )
    }

    func save(_ cursor: HistoryCursor, _ bundleID: BundleID, _ environment: Environment) throws {
        try connection.execute(
            """
            INSERT INTO history_cursor (bundle_id, environment, content)
            VALUES (\(bundleID), \(environment), \(try JSONColumn.text(cursor)))
            ON CONFLICT (bundle_id, environment) DO UPDATE SET content = excluded.content
            """
        )
    }
}
