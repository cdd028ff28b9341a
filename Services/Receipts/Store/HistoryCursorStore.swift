import Contracts
import Database
import ReceiptsCore

struct HistoryCursorStore {
    let connection: any Connection

    func cursor(_ bundleID: BundleID, _ environment: Environment) throws(StoreError) -> HistoryCursor? {
        let row = try connection.row(
            """
            SELECT read_until, read_at, due_at, failures, span_start, span_end, only_failures, page
            FROM history_cursor WHERE bundle_id = ? AND environment = ?
            """,
            [.text(bundleID.rawValue), .text(environment.rawValue)]
        )
        return try row.map { row throws(StoreError) in
            HistoryCursor(
                readUntil: Timestamp(milliseconds: try row.integer(0)),
                readAt: Timestamp(milliseconds: try row.integer(1)),
                dueAt: Timestamp(milliseconds: try row.integer(2)),
                failures: try row.int(3),
                span: try Self.span(row)
            )
        }
    }

    private static func span(_ row: Row) throws(StoreError) -> HistoryCursor.Span? {
        guard let start = try row.optionalInteger(4), let end = try row.optionalInteger(5) else { return nil }
        return HistoryCursor.Span(
            from: Timestamp(milliseconds: start),
            to: Timestamp(milliseconds: end),
            onlyFailures: try row.integer(6) == 1,
            page: try row.optionalText(7)
        )
    }

    func save(
        _ cursor: HistoryCursor,
        _ bundleID: BundleID,
        _ environment: Environment
    ) throws(StoreError) {
        let span = cursor.span
        try connection.execute(
            """
            INSERT INTO history_cursor
              (bundle_id, environment, read_until, read_at, due_at, failures, span_start, span_end,
               only_failures, page)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (bundle_id, environment) DO UPDATE SET
              read_until = excluded.read_until, read_at = excluded.read_at, due_at = excluded.due_at,
              failures = excluded.failures, span_start = excluded.span_start, span_end = excluded.span_end,
              only_failures = excluded.only_failures, page = excluded.page
            """,
            [
                .text(bundleID.rawValue), .text(environment.rawValue),
                .integer(cursor.readUntil.milliseconds),
                .integer(cursor.readAt.milliseconds), .integer(cursor.dueAt.milliseconds),
                Value(cursor.failures), Value(span?.from.milliseconds), Value(span?.to.milliseconds),
                span.map { Value($0.onlyFailures) } ?? .null, Value(span?.page),
            ]
        )
    }
}
