import Database
import Foundation
import Testing

@Suite struct `A store in use` {
    private static func texts(in folder: StoreFolder) throws -> [String] {
        let store = try folder.open()
        let texts = try store.notes()
        try store.close()
        return texts
    }

    /// Expects that the copy is refused with what to do, and stays as it is.
    private static func expectRefused(_ copy: StoreFolder) throws {
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
        let folder = try StoreFolder()
        for life in 0..<3 {
            let store = try folder.open()
            for step in 0..<6 {
                try Self.expectRefused(try folder.copy(StoreFolder.withoutLog))
                try store.add("\(life) \(step)")
                if step % 2 == 1 { try store.checkpoint() }
                let copy = try folder.copy(StoreFolder.withoutLog)
                try Data().write(to: URL(filePath: copy.path + "-wal"))
                try Self.expectRefused(copy)
            }
            if life == 1 { try store.close() }
        }
    }

    @Test func `is taken with its log, whenever its owner is killed`() throws {
        let folder = try StoreFolder()
        var known: [String] = []
        for life in 0..<3 {
            // Without `close`, files stay as a killed owner leaves them.
            let store = try folder.open()
            for step in 0..<4 {
                try store.add("\(life) \(step)")
                known.append("\(life) \(step)")
                if step == 1 { try store.checkpoint() }
                #expect(try Self.texts(in: try folder.copy(StoreFolder.whole)) == known)
            }
        }
        #expect(try Self.texts(in: folder) == known)
    }

    @Test func `is whole without a log once it is closed, and so is one that another program closes`() throws
    {
        let folder = try StoreFolder()
        let store = try folder.open()
        try store.add("1")
        let killed = try folder.copy(StoreFolder.whole)
        try store.close()
        for whole in [folder, killed] {
            let reader = try SQLiteDatabase(path: whole.path)
            try reader.close()
            #expect(!FileManager.default.fileExists(atPath: whole.path + "-wal"))
            #expect(try Self.texts(in: try whole.copy(StoreFolder.withoutLog)) == ["1"])
        }
    }

    @Test func `is marked again by the next owner if the last one died while it closed it`() throws {
        let folder = try StoreFolder()
        let store = try folder.open()
        try store.add("1")
        try store.checkpoint()
        // The last commit of a close, which only the log has.
        try store.write { _ = try $0.execute("PRAGMA application_id = \(raw: String(StoreFolder.label))") }
        let left = try folder.copy(StoreFolder.whole)
        let next = try left.open()
        try next.checkpoint()
        try next.add("2")
        try Self.expectRefused(try left.copy(StoreFolder.withoutLog))
        #expect(try Self.texts(in: try left.copy(StoreFolder.whole)) == ["1", "2"])
    }
}
