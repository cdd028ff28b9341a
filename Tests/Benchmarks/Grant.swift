import Foundation

/// A purchase that was granted, as the load generator's journal tells it.
struct Grant {
    /// When the proof was submitted, in microseconds since 1970.
    let sentAt: Int64
    let at: Int64

    var milliseconds: Double { Double(at - sentAt) / 1_000 }

    static func all(in journal: String) throws -> [Grant] {
        try all(inLines: Data(contentsOf: URL(filePath: journal)))
    }

    /// Those of some lines of a journal.
    static func all(inLines lines: Data) throws -> [Grant] {
        let decoder = JSONDecoder()
        return try lines.split(separator: UInt8(ascii: "\n")).compactMap {
            let line = try decoder.decode(Line.self, from: $0)
            guard line.verdict == "granted", let sentAt = line.sentAt else { return nil }
            return Grant(sentAt: sentAt, at: line.at)
        }
    }

    private struct Line: Decodable {
        let verdict: String?
        let sentAt: Int64?
        let at: Int64
    }
}
