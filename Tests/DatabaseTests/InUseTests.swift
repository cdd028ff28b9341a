import Database
import Foundation
import Testing

@Suite struct `A store in use` {
    private static let label: UInt32 = 0x4300_0203
    /// What a moment leaves on the disk: all of it, or the main file alone.
    private static let (whole, withoutLog) = (["", "-wal"], [""])

    /// A folder with one store in it.
    private final class Folder {
        let url: URL
        var path: String { url.appending(path: "0.sqlite").path() }

        init() throws {
            url = FileManager.default.temporaryDirectory.appending(path: "use-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        }

        deinit {
            do { try FileManager.default.removeItem(at: url) } catch { print("the folder stays: \(error)") }
        }

        /// Copies those files of the store that there are.
        func copy(_ suffixes: [String]) throws -> Folder {
            let copy = try Folder()
            for suffix in suffixes where FileManager.default.fileExists(atPath: path + suffix) {
                try FileManager.default.copyItem(atPath: path + suffix, toPath: copy.path + suffix)
            }
            return copy
        }

        /// As an owner opens it.
        func open() throws -> SQLiteDatabase {
            let store = try SQLiteDatabase(path: path)
            try store.raiseFence(label: label)
            try store.write { connection in
                try connection.execute(
                    "CREATE TABLE IF NOT EXISTS note (number INTEGER NOT NULL PRIMARY KEY, text TEXT NOT NULL) STRICT"
                )
            }
            try store.declareUse()
            return store
        }

        private var label: UInt32 { `A store in use`.label }
    }

    private static func add(_ text: String, to store: SQLiteDatabase) throws {
        try store.write { _ = try $0.execute("INSERT INTO note (text) VALUES (?)", [.text(text)]) }
    }

    private static func texts(in folder: Folder) throws -> [String] {
        let store = try folder.open()
        let texts = try store.write { connection in
            try connection.rows("SELECT text FROM note ORDER BY number").map { try $0[0] as String }
        }
        try store.close()
        return texts
    }

    /// Expects that the copy is refused with what to do, and stays as it is.
    private static func expectRefused(_ copy: Folder) throws {
        let before = try Data(contentsOf: URL(filePath: copy.path))
        let refusal = #expect(throws: StoreError.self) { try SQLiteDatabase(path: copy.path).close() }
        guard case .replaced(let problem)? = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        #expect(problem.contains("counterfoil restore"))
        #expect(try Data(contentsOf: URL(filePath: copy.path)) == before)
    }

    @Test func `is refused as a copy without its log, or with an empty one, at every step of its life`()
        throws
    {
        let folder = try Folder()
        for life in 0..<3 {
            let store = try folder.open()
            for step in 0..<6 {
                try Self.expectRefused(try folder.copy(Self.withoutLog))
                try Self.add("\(life) \(step)", to: store)
                if step % 2 == 1 { try store.checkpoint() }
                let copy = try folder.copy(Self.withoutLog)
                try Data().write(to: URL(filePath: copy.path + "-wal"))
                try Self.expectRefused(copy)
            }
            if life == 1 { try store.close() }
        }
    }

    @Test func `is taken with its log, whenever its owner is killed`() throws {
        let folder = try Folder()
        var known: [String] = []
        for life in 0..<3 {
            // Without `close`, files stay as a killed owner leaves them.
            let store = try folder.open()
            for step in 0..<4 {
                try Self.add("\(life) \(step)", to: store)
                known.append("\(life) \(step)")
                if step == 1 { try store.checkpoint() }
                #expect(try Self.texts(in: try folder.copy(Self.whole)) == known)
            }
        }
        #expect(try Self.texts(in: folder) == known)
    }

    @Test func `is whole without a log once it is closed, and so is one that another program closes`() throws
    {
        let folder = try Folder()
        let store = try folder.open()
        try Self.add("1", to: store)
        let killed = try folder.copy(Self.whole)
        try store.close()
        for whole in [folder, killed] {
            let reader = try SQLiteDatabase(path: whole.path)
            try reader.close()
            #expect(!FileManager.default.fileExists(atPath: whole.path + "-wal"))
            #expect(try Self.texts(in: try whole.copy(Self.withoutLog)) == ["1"])
        }
    }

    @Test func `is marked again by the next owner if the last one died while it closed it`() throws {
        let folder = try Folder()
        let store = try folder.open()
        try Self.add("1", to: store)
        try store.checkpoint()
        // The last commit of a close, which only the log has.
        try store.write { _ = try $0.execute("PRAGMA application_id = \(raw: String(Self.label))") }
        let left = try folder.copy(Self.whole)
        let next = try left.open()
        try next.checkpoint()
        try Self.add("2", to: next)
        try Self.expectRefused(try left.copy(Self.withoutLog))
        #expect(try Self.texts(in: try left.copy(Self.whole)) == ["1", "2"])
    }
}
