import Database
import Delivery

/// What a row holds, or why that cannot be read: one such row keeps none of the others waiting.
enum StoredContent<Value> {
    case readable(Value)
    case unreadable(String)

    /// - Throws: what is not the row's fault.
    init<Source>(
        _ source: Source,
        _ read: (Source) throws(StoreError) -> Value
    ) throws(StoreError) {
        do throws(StoreError) {
            self = .readable(try read(source))
        } catch {
            guard case .corrupt(let fault) = error else { throw error }
            self = .unreadable(fault)
        }
    }
}

extension StoredContent where Value: Decodable {
    /// The JSON in a row's column `content`.
    init(_ row: Row) throws(StoreError) {
        try self.init(row) { row throws(StoreError) -> Value in try JSONColumn.value(of: row["content"]) }
    }
}

/// A row that is due, by its key.
typealias DueRow<Key, Content> = (key: Key, content: StoredContent<Content>)
