/// A limited number of values by their keys; beyond it, those that were not used for the longest are forgotten.
///
/// There are two generations: what is used is in the younger one, and when that is full, the older one is dropped.
struct RecentValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let generation: Int
    private var younger: [Key: Value] = [:]
    private var older: [Key: Value] = [:]

    init(atMost count: Int) { generation = max(count / 2, 1) }

    var count: Int { younger.count + older.count }

    subscript(key: Key) -> Value? {
        mutating get {
            if let value = younger[key] { return value }
            guard let value = older.removeValue(forKey: key) else { return nil }
            insert(value, key)
            return value
        }
        set {
            older.removeValue(forKey: key)
            younger.removeValue(forKey: key)
            if let newValue { insert(newValue, key) }
        }
    }

    private mutating func insert(_ value: Value, _ key: Key) {
        if younger.count >= generation {
            older = younger
            younger = [:]
        }
        younger[key] = value
    }
}
