package import Contracts
import Database

/// Steps of stories that a service's own rows do not show, as a row shows one step of each kind.
///
/// Those of a proof that was handed in again, of a claim that was answered again: what travels the road once leaves
/// nothing here.
package struct JourneyStore {
    /// A step, and the id under which the service traces it.
    package struct Step: Equatable {
        package let story: String
        package let entry: Trace.Entry
    }

    /// Most steps kept of one story; the oldest go first.
    static let maximumSteps: Int64 = 64

    let connection: any Connection

    /// Keeps a step, once.
    func add(_ step: Step) throws(StoreError) {
        let known = try connection.row(
            """
            SELECT COALESCE(MAX(number), 0), COALESCE(SUM(CASE WHEN event_id = ? THEN 1 ELSE 0 END), 0)
            FROM journey WHERE story = ?
            """,
            [.text(step.entry.id), .text(step.story)]
        )
        guard try known?.integer(1) ?? 0 == 0 else { return }
        let number = (try known?.integer(0) ?? 0) + 1
        try connection.execute(
            "INSERT INTO journey (story, number, time, type, event_id, causation_id) VALUES (?, ?, ?, ?, ?, ?)",
            [
                .text(step.story), .integer(number), .integer(step.entry.time.milliseconds),
                .text(step.entry.type), .text(step.entry.id), Value(step.entry.causationid),
            ]
        )
        guard number > Self.maximumSteps else { return }
        try connection.execute(
            "DELETE FROM journey WHERE story = ? AND number <= ?",
            [.text(step.story), .integer(number - Self.maximumSteps)]
        )
    }

    /// The steps of these stories, and the stories of these events and their effects.
    func trace(_ identifiers: Set<String>) throws(StoreError) -> Trace {
        var trace = Trace()
        for identifier in identifiers.sorted() {
            let rows = try connection.rows(
                """
                SELECT story, time, type, event_id, causation_id FROM journey
                WHERE story = ? OR event_id = ? OR causation_id = ? ORDER BY story, number
                """,
                Array(repeating: .text(identifier), count: 3)
            )
            for row in rows {
                trace.related.insert(try row.text(0))
                trace.entries.append(
                    Trace.Entry(
                        time: Timestamp(milliseconds: try row.integer(1)),
                        type: try row.text(2),
                        id: try row.text(3),
                        causationid: try row.optionalText(4)
                    )
                )
            }
        }
        return trace
    }
}

extension HandlerContext {
    /// Keeps a step that the service's rows forget, or do not take up, so that `trace` shows every journey.
    ///
    /// `story` is the id under which the service traces it: of an order, a receipt or a transaction.
    package mutating func keep(_ step: Trace.Entry, of story: String) {
        steps.append(.init(story: story, entry: step))
    }

    /// Keeps the message in hand as a step that no row takes up.
    package mutating func keep<Body: Contract>(_ message: Event<Body>, of story: String) {
        keep(Trace.Entry(message, at: now), of: story)
    }
}

extension Trace.Entry {
    /// A message where it was received.
    package init<Body: Contract>(_ message: Event<Body>, at time: Timestamp) {
        self.init(
            time: time,
            type: Body.type.rawValue,
            id: message.id.rawValue,
            causationid: message.causationID?.rawValue
        )
    }
}
