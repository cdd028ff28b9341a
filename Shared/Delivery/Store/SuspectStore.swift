import Contracts
import Database

/// What was alone in hand when the process died, and the outside work that is parked for it, inside one transaction.
struct SuspectStore {
    let connection: any Connection

    /// Notes that something is alone in hand, and says how often it was when the process died.
    func note(_ name: String) throws(StoreError) -> Int {
        try connection.execute(
            "INSERT INTO suspect (name, deaths) VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET deaths = deaths + 1",
            [.text(name)]
        )
        return
            (try connection.row("SELECT deaths FROM suspect WHERE name = ?", [.text(name)])?.int(0) ?? 1) - 1
    }

    func clear(_ name: String) throws(StoreError) {
        try connection.execute("DELETE FROM suspect WHERE name = ?", [.text(name)])
    }

    // MARK: Outside work

    func park(_ key: String, _ reason: String, now: Timestamp) throws(StoreError) {
        try connection.execute(
            "INSERT INTO parked_work (key, reason, time) VALUES (?, ?, ?) ON CONFLICT (key) DO NOTHING",
            [.text(key), .text(reason), .integer(now.milliseconds)]
        )
    }

    func parkedWork() throws(StoreError) -> Set<String> {
        var keys: Set<String> = []
        for row in try connection.rows("SELECT key FROM parked_work") { keys.insert(try row.text(0)) }
        return keys
    }

    /// The parked work as the operator sees it, oldest first.
    func listed(limit: Int) throws(StoreError) -> [HeldEvent] {
        let rows = try connection.rows(
            "SELECT key, reason, time FROM parked_work ORDER BY time, key LIMIT ?",
            [Value(limit)]
        )
        var listed: [HeldEvent] = []
        for row in rows { listed.append(try Self.event(row)) }
        return listed
    }

    func listed(_ key: String) throws(StoreError) -> HeldEvent? {
        let row = try connection.row(
            "SELECT key, reason, time FROM parked_work WHERE key = ?",
            [.text(key)]
        )
        guard let row else { return nil }
        return try Self.event(row)
    }

    /// Lets parked work be done again; whoever releases it first has it.
    func release(_ key: String) throws(StoreError) -> Bool {
        try connection.execute("DELETE FROM parked_work WHERE key = ?", [.text(key)]) == 1
    }

    private static func event(_ row: Row) throws(StoreError) -> HeldEvent {
        HeldEvent(
            eventId: try row.text(0),
            kind: .work,
            reason: try row.text(1),
            time: Timestamp(milliseconds: try row.integer(2))
        )
    }
}
