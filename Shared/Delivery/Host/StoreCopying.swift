import Contracts
import Database
import Glibc

/// The copy of an owned partition's store that the operator has asked for: some pages between two batches.
///
/// If the owner dies, nobody says that the copy is whole, and the next owner begins it again.
struct StoreCopying {
    /// Pages of 4 KiB: a batch waits for them for a millisecond or two.
    static let firstPages = 128
    /// A roll-back makes the copy begin again; it then takes twice as much a turn, up to so much, to be done before the
    /// next one.
    static let mostPages = 8_192

    private let file: String
    private var copyID: String?
    /// Nil when nothing is half-done.
    private var copier: StoreCopier?
    private var pages = StoreCopying.firstPages

    /// Of the store at `path`.
    init(of path: String) { file = OfflineStore.copy(of: path) }

    /// Copies the next pages, if there is something to copy.
    mutating func turn(_ engine: PartitionEngine, _ store: SQLiteDatabase) {
        guard let asked = engine.state.copy, asked.state == .copying else { return }
        do {
            if copyID != asked.copyId { try begin(asked.copyId, store) }
            guard try step() else { return }
            copier = nil
            engine.state.copy?.state = .done
            engine.state.copy?.finishedAt = ClockReading.current().now
        } catch {
            // The store itself is well, or its next transaction says that it is not.
            giveUp()
            engine.state.copy?.state = .failed
            engine.state.copy?.failure = "\(error)"
        }
    }

    /// Whether the copy is whole now.
    private mutating func step() throws -> Bool {
        guard let copier else { return true }
        let left = copier.pagesLeft
        if try copier.step(pages: pages) { return true }
        if left > 0, copier.pagesLeft > left { pages = min(2 * pages, Self.mostPages) }
        return false
    }

    private mutating func begin(_ id: String, _ store: SQLiteDatabase) throws {
        giveUp()
        remove()
        (copyID, pages) = (id, Self.firstPages)
        copier = try store.copier(to: file)
    }

    /// Removes what is half-done; before the store is closed.
    mutating func giveUp() {
        guard copier != nil else { return }
        copier = nil
        remove()
    }

    private func remove() {
        for suffix in ["", "-wal", "-journal"] { unlink(file + suffix) }
    }
}
