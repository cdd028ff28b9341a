import Contracts
import Database

/// Suspects of a death of the process, and parked outside work, inside one transaction.
struct SuspectStore {
    let connection: any Connection

    /// Notes a suspect; returns its number of deaths.
    func note(_ name: String) throws(StoreError) -> Int {
        try connection.execute(
            """
            INSERT INTO suspect (name, deaths) VALUES (\(name), 1)
            ON CONFLICT (name) DO UPDATE SET deaths = suspect.deaths + 1
            """
        )
        return (try connection.value("SELECT deaths FROM suspect WHERE name = \(name)") ?? 1) - 1
    }

    func clear(_ name: String) throws(StoreError) {
        try connection.execute("DELETE FROM suspect WHERE name = \(name)")
    }

    // MARK: Outside work

    func park(_ key: String, _ reason: String, now: Timestamp) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO parked_work (key, reason, time) VALUES (\(key), \(reason), \(now))
            ON CONFLICT (key) DO NOTHING
            """
        )
    }

    func parkedWork() throws(StoreError) -> Set<String> {
        Set(try connection.rows("SELECT key FROM parked_work") { row throws(StoreError) in try row["key"] })
    }

    func listed(limit: Int) throws(StoreError) -> [DelayedEvent] {
        try connection.rows(
            "SELECT key, reason, time FROM parked_work ORDER BY time, key LIMIT \(limit)",
            Self.listed
        )
    }

    func listed(_ key: String) throws(StoreError) -> DelayedEvent? {
        try connection.row("SELECT key, reason, time FROM parked_work WHERE key = \(key)", Self.listed)
    }

    /// Releases parked work; only the first release succeeds.
    func release(_ key: String) throws(StoreError) -> Bool {
        try connection.execute("DELETE FROM parked_work WHERE key = \(key)") == 1
    }

    private static func listed(_ row: Row) throws(StoreError) -> DelayedEvent {
        DelayedEvent(eventId: try row["key"], kind: .work, reason: try row["reason"], time: try row["time"])
    }
}
