import Foundation

/// How many purchases were granted, by a load generator's journal that grows meanwhile.
struct GrantCount {
    private let path: String
    private var file: FileHandle?
    /// A line whose end is not written yet.
    private var rest = Data()
    private(set) var count = 0

    init(journal: String) { path = journal }

    /// Counts what was written since the last time; nothing as long as there is no journal.
    mutating func update() throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        let file = try file ?? FileHandle(forReadingFrom: URL(filePath: path))
        self.file = file
        rest += try file.readToEnd() ?? Data()
        guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { return }
        count += try Grant.all(inLines: rest[...end]).count
        rest = Data(rest[rest.index(after: end)...])
    }
}
