import Database
import Foundation
import Testing

@Suite struct `The fence around a store` {
    private static func expectReplaced(_ body: () throws -> Void) {
        let fault = #expect(throws: StoreError.self) { try body() }
        if case .replaced? = fault { return }
        Issue.record("\(String(describing: fault))")
    }

    @Test
    func `an owner's own transactions, checkpoints and roll-backs never trip it, in one life and the next`()
        throws
    {
        struct Refused: Error {}
        let home = try StoreFolder()
        for life in 0..<3 {
            let store = try home.open()
            for number in 0..<200 {
                try store.add("\(life) \(number) " + String(repeating: "x", count: 500))
                if number % 10 == 0 { try store.verifyFiles() }
                if number % 50 == 0 { try store.checkpoint() }
                #expect(throws: Refused.self) {
                    try store.write { connection in
                        try connection.execute("INSERT INTO note (text) VALUES ('never')")
                        throw Refused()
                    }
                }
            }
            try store.verifyFiles()
            #expect(try store.notes().count == (life + 1) * 200)
            try store.close()
        }
    }

    @Test func `what a killed owner leaves is taken, at every point between two checkpoints`() throws {
        let home = try StoreFolder()
        let store = try home.open()
        for step in 0..<12 {
            try store.add("\(step)")
            if step % 3 == 2 { try store.checkpoint() }
            let left = try home.copy()
            let next = try SQLiteDatabase(path: left.path)
            try next.raiseFence(label: StoreFolder.label)
            try next.add("next")
            try next.verifyFiles()
            #expect(try next.notes() == (0...step).map(String.init) + ["next"])
            try next.close()
        }
        try store.close()
    }

    @Test func `a backup copied over an open store by cp is noticed before the next transaction`() throws {
        let home = try StoreFolder()
        let store = try home.open()
        let backup = try home.copy()
        try store.add("1")
        try home.overwrite("0.sqlite", with: backup.url.appending(path: "0.sqlite"))
        Self.expectReplaced { try store.add("2") }
        Self.expectReplaced { try store.verifyFiles() }
    }

    @Test func `a log that is written over is noticed before the next transaction`() throws {
        let home = try StoreFolder()
        let store = try home.open()
        try store.add("1")
        let backup = try home.copy()
        try store.add("2")
        try home.overwrite("0.sqlite-wal", with: backup.url.appending(path: "0.sqlite-wal"))
        Self.expectReplaced { try store.add("3") }
    }

    @Test func `a backup that comes while the owner itself writes is told by its seal`() throws {
        let home = try StoreFolder()
        let store = try home.open()
        let backup = try home.copy()
        for _ in 0..<2 {
            try store.add("1")
            try store.checkpoint()
        }
        try store.write { connection in
            try connection.execute("INSERT INTO note (text) VALUES ('2')")
            try home.overwrite("0.sqlite", with: backup.url.appending(path: "0.sqlite"))
        }
        Self.expectReplaced { try store.verifyFiles() }
    }

    @Test(arguments: ["0.sqlite", "0.sqlite-wal"])
    func `a file that is moved away, removed or replaced by mv is noticed at the next heartbeat`(
        _ name: String
    ) throws {
        let home = try StoreFolder()
        let store = try home.open()
        try store.add("1")
        let backup = try home.copy()
        let path = home.url.appending(path: name)
        try store.verifyFiles()
        try FileManager.default.moveItem(at: path, to: home.url.appending(path: "former"))
        Self.expectReplaced { try store.verifyFiles() }
        try FileManager.default.moveItem(at: backup.url.appending(path: name), to: path)
        Self.expectReplaced { try store.verifyFiles() }
    }

    @Test func `a store that was replaced beside an old log is refused, and both stay as they were`() throws {
        let home = try StoreFolder()
        let first = try home.open()
        try first.add("old")
        try first.close()
        let backup = try home.copy(StoreFolder.withoutLog)
        let second = try home.open()
        try second.add("new")
        try second.checkpoint()
        try second.add("newest")
        let left = try home.copy()

        let mixed = home.url.appending(path: "mixed")
        try FileManager.default.createDirectory(at: mixed, withIntermediateDirectories: true)
        for (source, name) in [(backup, "0.sqlite"), (left, "0.sqlite-wal")] {
            try FileManager.default.copyItem(
                at: source.url.appending(path: name),
                to: mixed.appending(path: name)
            )
        }
        let path = mixed.appending(path: "0.sqlite").path()
        let before = try Data(contentsOf: mixed.appending(path: "0.sqlite"))
        Self.expectReplaced { try SQLiteDatabase(path: path).raiseFence(label: StoreFolder.label) }
        #expect(try Data(contentsOf: mixed.appending(path: "0.sqlite")) == before)
        try second.close()
    }

    @Test func `the label of a store can be read from its file while it is open`() throws {
        let home = try StoreFolder()
        #expect(try StoreHeader.read(path: home.path) == nil)
        let store = try home.open()
        let copy = try home.copy(StoreFolder.withoutLog)
        #expect(try StoreHeader.read(path: copy.path)?.label == StoreFolder.label)
        try store.close()
    }
}
