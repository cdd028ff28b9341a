import Database
import Foundation

/// A folder with one store in it.
final class StoreFolder {
    static let label: UInt32 = 0x4300_0203
    /// What a moment leaves on the disk: all of it, or the main file alone.
    static let (whole, withoutLog) = (["", "-wal"], [""])

    let url: URL
    /// The folder in which this one lies and with which it is removed; nil of one that removes itself.
    private let outer: StoreFolder?

    var path: String { url.appending(path: "0.sqlite").path() }

    init(in outer: StoreFolder? = nil) throws {
        let place = outer?.url ?? FileManager.default.temporaryDirectory
        url = place.appending(path: "store-\(UUID().uuidString)")
        self.outer = outer
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        guard outer == nil else { return }
        do { try FileManager.default.removeItem(at: url) } catch { print("the folder stays: \(error)") }
    }

    /// Becomes the owner of the store, which has a table of notes.
    func open() throws -> SQLiteDatabase {
        let store = try SQLiteDatabase(path: path)
        try store.raiseFence(label: Self.label)
        try store.write { connection in
            try connection.execute(
                "CREATE TABLE IF NOT EXISTS note (number INTEGER NOT NULL PRIMARY KEY, text TEXT NOT NULL) STRICT"
            )
        }
        try store.declareUse()
        return store
    }

    /// Copies those files of the store that there are, as a backup or as what a killed owner leaves.
    func copy(_ suffixes: [String] = StoreFolder.whole) throws -> StoreFolder {
        let copy = try StoreFolder(in: self)
        for suffix in suffixes where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: copy.path + suffix)
        }
        return copy
    }

    /// Writes over a file and keeps its inode, as `cp` does.
    func overwrite(_ name: String, with source: URL) throws {
        let bytes = try Data(contentsOf: source)
        let file = try FileHandle(forWritingTo: url.appending(path: name))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: bytes)
        try file.close()
    }
}

extension SQLiteDatabase {
    func add(_ note: String) throws {
        try write { _ = try $0.execute("INSERT INTO note (text) VALUES (?)", [.text(note)]) }
    }

    /// All notes, in order.
    func notes() throws -> [String] {
        try write { try $0.rows("SELECT text FROM note ORDER BY number").map { try $0[0] as String } }
    }
}
