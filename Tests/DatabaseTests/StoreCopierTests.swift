import Database
import Foundation
import Testing

@Suite struct `A copy of a store` {
    private static let rows = 4_000

    /// A store that its owner has open, with some megabytes in it.
    private final class Owned {
        let folder: StoreFolder
        let store: SQLiteDatabase
        var copy: String { folder.path + ".copy" }

        init() throws {
            folder = try StoreFolder()
            store = try folder.open()
            try add(rows)
        }

        func add(_ count: Int) throws {
            try store.write { connection in
                for number in 0..<count {
                    let text = "\(number) " + String(repeating: "x", count: 800)
                    try connection.execute("INSERT INTO note (text) VALUES (?)", [.text(text)])
                }
            }
        }

        private var rows: Int { `A copy of a store`.rows }
    }

    private static func count(in store: SQLiteDatabase) throws -> Int? {
        try store.write { try $0.value("SELECT COUNT(*) FROM note") }
    }

    @Test func `has what was committed before its last step, and is closed, whole and nobody's`() throws {
        let owned = try Owned()
        let copier = try owned.store.copier(to: owned.copy)
        var steps = 0
        while try !copier.step(pages: 50) {
            steps += 1
            if steps % 3 == 0 { try owned.add(7) }
            if steps % 5 == 0 { try owned.store.checkpoint() }
            if steps == 8 {
                let left = copier.pagesLeft
                #expect(throws: CancellationError.self) {
                    try owned.store.write { connection in
                        try connection.execute("DELETE FROM note", [])
                        throw CancellationError()
                    }
                }
                #expect(try !copier.step(pages: 1) && copier.pagesLeft > left, "SQLite begins again")
            }
        }
        #expect(steps > 10)
        try owned.add(1)
        #expect(!FileManager.default.fileExists(atPath: owned.copy + "-wal"))
        let copy = try SQLiteDatabase(path: owned.copy)
        #expect(try Self.count(in: copy) == Self.rows + steps / 3 * 7)
        #expect(try copy.write { try $0.value("PRAGMA integrity_check") } == "ok")
        try copy.raiseFence(label: StoreFolder.label)
        try copy.verifyFiles()
        try copy.close()
        try owned.store.verifyFiles()
        try owned.store.close()
    }

    @Test func `that cannot be written leaves the store as it was`() throws {
        let owned = try Owned()
        #expect(throws: StoreError.self) {
            _ = try owned.store.copier(to: owned.folder.url.path() + "none/0.sqlite").step(pages: 1)
        }
        do {
            let given = try owned.store.copier(to: owned.copy)
            _ = try given.step(pages: 10)
        }
        try owned.add(1)
        try owned.store.verifyFiles()
        #expect(try Self.count(in: owned.store) == Self.rows + 1)
        try owned.store.close()
    }
}
