import Database

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
