import Foundation
import Glibc

/// A file of JSON lines to which is only ever appended.
///
/// At `maximumFileBytes` the file becomes the previous one, and the one before that is forgotten.
struct Journal<Record: Codable & SendableMetatype> {
    private let path: String
    private let previousPath: String
    private let maximumFileBytes: UInt64
    private var file: FileHandle

    init(folder: String, name: String, maximumFileBytes: UInt64 = 16 * 1_024 * 1_024) throws {
        path = folder + "/\(name).jsonl"
        previousPath = folder + "/\(name).previous.jsonl"
        self.maximumFileBytes = maximumFileBytes
        file = try Self.appending(to: path)
    }

    /// Every record that is still in the files, the oldest first; a line that a crash cut off is passed over.
    func records() -> [Record] {
        [previousPath, path].flatMap { path in
            guard let bytes = FileManager.default.contents(atPath: path) else { return [Record]() }
            let lines = bytes.split(separator: UInt8(ascii: "\n"))
            return lines.compactMap(Self.record)
        }
    }

    private static func record(_ line: Data) -> Record? {
        do { return try JSONDecoder().decode(Record.self, from: line) } catch { return nil }
    }

    mutating func append(_ records: [Record]) throws {
        guard !records.isEmpty else { return }
        var lines = Data()
        // A line that a crash cut off must not swallow the next one.
        for record in records { lines += try Data("\n".utf8) + JSONEncoder().encode(record) }
        if try file.offset() + UInt64(lines.count) > maximumFileBytes { try turnOver() }
        try file.write(contentsOf: lines)
    }

    private mutating func turnOver() throws {
        guard rename(path, previousPath) == 0 else {
            throw WrongConfiguration(description: "cannot rename \(path)")
        }
        file = try Self.appending(to: path)
    }

    private static func appending(to path: String) throws -> FileHandle {
        let descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw WrongConfiguration(description: "cannot write \(path): \(String(cString: strerror(errno)))")
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try file.seekToEnd()
        return file
    }
}
