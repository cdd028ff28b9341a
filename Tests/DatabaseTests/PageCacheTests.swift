import Testing

@testable import Database

@Suite struct PageCacheTests {
    @Test(
        arguments: [
            (0, 8), (255 << 20, 8), (257 << 20, 16), (1 << 30, 32), (3 << 30, 96), (40 << 30, 128),
        ] as [(Int64, Int64)]
    )
    func `a store caches a share of its file, within bounds`(bytes: Int64, mebibytes: Int64) {
        #expect(PageCache.kibibytes(for: bytes) == mebibytes << 10)
    }

    @Test func `the cache grows with the file while the store is open`() throws {
        let connection = try SQLiteConnection(path: ":memory:")
        var cache = try PageCache(connection)
        let size = { try connection.value("PRAGMA cache_size") as Int64? }
        #expect(try size() == -8_192)
        try connection.execute("CREATE TABLE filler (bytes BLOB)", [])
        for _ in 0..<5 { try connection.execute("INSERT INTO filler VALUES (zeroblob(\(60 << 20)))", []) }
        for _ in 0..<1_023 { try cache.noteWrite(connection) }
        #expect(try size() == -8_192)
        try cache.noteWrite(connection)
        #expect(try size() == -16_384)
    }
}
