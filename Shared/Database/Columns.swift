import Synchronization

/// The columns of a result.
final class Columns: Sendable {
    let names: [String]
    /// Where the next name is looked for first: a record is read about in the order of its columns.
    private let next = Atomic(0)

    init(_ names: [String]) { self.names = names }

    func index(of column: String) -> Int? {
        let start = next.load(ordering: .relaxed)
        let isColumn = { (index: Int) in self.names[index] == column }
        let found = (start..<names.count).first(where: isColumn) ?? (0..<start).first(where: isColumn)
        if let found { next.store(found + 1, ordering: .relaxed) }
        return found
    }
}
