/// How many pages of its file a connection keeps in memory: a share of the file, so that the pages between the roots
/// of its trees and their leaves stay there.
///
/// An id that is a hash has its place anywhere in a tree. Each purchase goes down several such trees, and where the
/// store is large, the pages on the way would leave a small cache before they are used again. One page in about 60 is
/// such a page. The leaves are left to the system's cache.
struct PageCache {
    static let smallestKibibytes: Int64 = 8_192
    static let largestKibibytes: Int64 = 131_072
    /// Of the file's pages.
    static let share: Int64 = 32
    /// How often the file's size is looked at.
    private static let writesBetweenLooks = 1_024

    private var writesUntilLook = Self.writesBetweenLooks
    private(set) var kibibytes: Int64 = 0

    init(_ connection: SQLiteConnection) throws(StoreError) { try fit(connection) }

    /// Looks at the file's size again, now and then; before a transaction, because a fault must not hide its commit.
    mutating func noteWrite(_ connection: SQLiteConnection) throws(StoreError) {
        writesUntilLook -= 1
        guard writesUntilLook <= 0 else { return }
        writesUntilLook = Self.writesBetweenLooks
        try fit(connection)
    }

    private mutating func fit(_ connection: SQLiteConnection) throws(StoreError) {
        let pages: Int64? = try connection.value("PRAGMA page_count")
        let size: Int64? = try connection.value("PRAGMA page_size")
        let fitting = Self.kibibytes(for: (pages ?? 0) * (size ?? 0))
        guard fitting != kibibytes else { return }
        try connection.execute("PRAGMA cache_size = -\(fitting)", [])
        kibibytes = fitting
    }

    /// The cache of a file with so many bytes, in whole steps of 8 MiB.
    static func kibibytes(for bytes: Int64) -> Int64 {
        let share = bytes / Self.share / 1_024
        let steps = (share + smallestKibibytes - 1) / smallestKibibytes
        return min(max(steps, 1) * smallestKibibytes, largestKibibytes)
    }
}
