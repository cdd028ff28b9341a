import Contracts
import Database
import Delivery
import Domain

/// How much an operator has done to amounts on which day.
struct OperatorDayStore {
    let connection: any Connection

    /// How many acts of an operator count on a day, and about which proposal this one was counted; nil if it was not.
    ///
    /// Those of a later day count, too: a clock that was wrong for a while gives nobody a second day.
    func counted(
        _ request: OperatorCountV1,
        on day: Int64
    ) throws(StoreError) -> (count: Int, proposal: ProposalID?) {
        let row = try connection.row(
            """
            SELECT COUNT(*) FILTER (WHERE day >= \(day)) AS count,
              MAX(CASE WHEN act_id = \(request.actId) THEN proposal_id END) AS proposal
            FROM operator_day WHERE operator_id = \(request.operatorId)
            """
        )
        guard let row else { return (0, nil) }
        return (try row["count"], try row["proposal"])
    }

    /// Counts an act, and forgets those of days that are so far away that nobody repeats them.
    func count(_ request: OperatorCountV1, on day: Int64) throws(StoreError) {
        try connection.execute(
            """
            DELETE FROM operator_day WHERE operator_id = \(request.operatorId)
              AND NOT (day BETWEEN \(day - OperatorDay.kept) AND \(day + OperatorDay.kept))
            """
        )
        try connection.execute(
            """
            INSERT INTO operator_day (operator_id, act_id, day, proposal_id, attempt)
            VALUES (\(request.operatorId), \(request.actId), \(day), \(request.proposalId),
              \(request.attempt))
            """
        )
    }

    /// Notes that another attempt at an act that was counted is under way: the ones before return it no more.
    func takeOver(_ request: OperatorCountV1) throws(StoreError) {
        try connection.execute(
            """
            UPDATE operator_day SET attempt = \(request.attempt)
            WHERE operator_id = \(request.operatorId) AND act_id = \(request.actId)
            """
        )
    }

    /// Takes an act out that was counted by this attempt, and then not done.
    func remove(_ request: OperatorCountV1) throws(StoreError) {
        try connection.execute(
            """
            DELETE FROM operator_day
            WHERE operator_id = \(request.operatorId) AND act_id = \(request.actId)
              AND attempt = \(request.attempt)
            """
        )
    }
}
