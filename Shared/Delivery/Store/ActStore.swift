import Contracts
import Database

/// What operators have done in this partition: rows are added, and the schema refuses to change or remove one.
struct ActStore {
    /// Most acts of an answer.
    static let maximumActs = 200

    let connection: any Connection

    /// Adds an act behind the last one, whatever number it has.
    func add(_ act: Act) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO act (time, operator_id, kind, subject, proposal_id, person, reason, before, after)
            VALUES (\(act.time), \(act.operatorId), \(act.kind), \(act.subject), \(act.proposalId), \(act.person),
              \(act.reason), \(act.before), \(act.after))
            """
        )
    }

    /// Each name by its own index: the newest of each are enough for the newest of all.
    static func query(_ request: ActsListV1) -> SQL {
        let page: SQL =
            """
            number < \(request.before ?? Int64.max)
            ORDER BY number DESC LIMIT \(min(max(request.limit, 1), Self.maximumActs))
            """
        guard let name = request.about else { return "SELECT * FROM act WHERE \(page)" }
        return """
            SELECT * FROM act WHERE number IN (
              SELECT number FROM (SELECT number FROM act WHERE subject = \(name) AND \(page))
              UNION SELECT number FROM (SELECT number FROM act WHERE proposal_id = \(name) AND \(page))
              UNION SELECT number FROM (SELECT number FROM act WHERE operator_id = \(name) AND \(page))
              UNION SELECT number FROM (SELECT number FROM act WHERE person = \(name) AND \(page))
            ) AND \(page)
            """
    }

    /// The newest acts first.
    func acts(_ request: ActsListV1) throws(StoreError) -> [Act] {
        try connection.rows(Self.query(request)) { row throws(StoreError) in
            Act(
                number: try row["number"],
                time: try row["time"],
                operatorId: try row["operator_id"],
                kind: try row["kind"],
                subject: try row["subject"],
                proposalId: try row["proposal_id"],
                person: try row["person"],
                reason: try row["reason"],
                before: try row["before"],
                after: try row["after"]
            )
        }
    }
}
