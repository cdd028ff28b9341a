/// The newest outbox rows of one link, which saves reading them back after COMMIT.
struct RowCache {
    static let bound = 4_096

    private var rows: [DeliveryStore.OutboxRow] = []

    mutating func append(_ new: [DeliveryStore.OutboxRow]) {
        rows.append(contentsOf: new)
        if rows.count > Self.bound { rows.removeFirst(rows.count - Self.bound) }
    }

    mutating func drop(through sequence: UInt64) {
        guard let first = rows.first, first.sequence <= sequence else { return }
        rows.removeFirst(min(rows.count, Int(sequence - first.sequence) + 1))
    }

    func rows(_ range: ClosedRange<UInt64>) -> ArraySlice<DeliveryStore.OutboxRow>? {
        guard let first = rows.first, first.sequence <= range.lowerBound else { return nil }
        let start = Int(range.lowerBound - first.sequence)
        let end = Int(range.upperBound - first.sequence)
        return end < rows.count ? rows[start...end] : nil
    }
}
