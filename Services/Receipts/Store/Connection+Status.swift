import Contracts
import Database

extension Connection {
    /// The `state` and `reason` of a row that must be there; `item` names it in the error.
    func status(_ sql: SQL, of item: String) throws(StoreError) -> RetryPage.ItemStatus {
        guard let row = try row(sql) else { throw .corrupt("\(item) is gone") }
        return RetryPage.ItemStatus(try row["state"], reason: try row["reason"])
    }
}
