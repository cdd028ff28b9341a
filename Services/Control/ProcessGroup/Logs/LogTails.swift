import FoundationEssentials
import Glibc

struct LogTails {
    static let interval = Duration.milliseconds(200)
    /// Maximum bytes read of a log at a time.
    private static let window: UInt64 = 1 << 20

    let folder: String
    let service: String?
    /// How many lines of each log to begin with.
    let lines: Int
    private(set) var offsets: [String: UInt64] = [:]
    private(set) var isFirst = true

    /// Lines written since the last call, each with the name of its log.
    mutating func next() throws -> [String] {
        defer { isFirst = false }
        guard FileManager.default.fileExists(atPath: folder) else {
            throw CommandFailure(description: "there are no logs in \(folder); has the group ever run?")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        let prefix = service.map { $0 + "." } ?? ""
        return try names.filter { $0.hasSuffix(".log") && $0.hasPrefix(prefix) }.sorted().flatMap {
            try read($0)
        }
    }

    private mutating func read(_ name: String) throws -> [String] {
        let log = try Descriptor.open("\(folder)/\(name)", O_RDONLY)
        let end = UInt64(lseek(log.number, 0, SEEK_END))
        let known = offsets[name] ?? (isFirst ? end - min(end, Self.window) : 0)
        // A log that became shorter was rotated.
        let start = known > end ? 0 : known
        lseek(log.number, off_t(start), SEEK_SET)
        let bytes = try log.chunk(of: Int(min(end - start, Self.window)))
        let whole = bytes.prefix(through: bytes.lastIndex(of: UInt8(ascii: "\n")) ?? bytes.startIndex - 1)
        offsets[name] = start + UInt64(whole.count)
        let text = String(decoding: whole, as: UTF8.self).split(separator: "\n")
        return text.suffix(isFirst ? lines : text.count).map { "\(name.dropLast(4)) | \($0)" }
    }
}
