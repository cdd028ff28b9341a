import FoundationEssentials

/// Ownership on one machine: a lock beside each store, and one for each replica.
package struct FolderLocks: Ownership {
    private let dataFolder: String
    private let membersFolder: String
    private let replica: Int

    /// The folder of the stores, such as `…/data/orders`, and that of the replicas, such as `…/run/members/orders`.
    package init(dataFolder: String, membersFolder: String, replica: Int) {
        self.dataFolder = dataFolder
        self.membersFolder = membersFolder
        self.replica = replica
    }

    /// Another replica's census may hold the lock for a moment.
    package func join() throws -> (any Membership)? {
        let path = memberLock(replica)
        guard let lock = try FileLock.attempt(path: path) else { return nil }
        return MemberLock(LockBox(lock), at: path)
    }

    /// Tries the lock of every other replica that there ever was.
    package func census() throws -> (members: Int, rank: Int) {
        let names = try FileManager.default.contentsOfDirectory(atPath: membersFolder)
        let numbers = names.compactMap { $0.hasSuffix(".lock") ? Int($0.dropLast(5)) : nil }
        let members = try numbers.filter { try $0 == replica || isLocked(memberLock($0)) }
        return (members.count, members.count { $0 < replica })
    }

    /// Whether the lock beside a partition's store is free.
    package func isFree(_ partition: Int) throws -> Bool { try !isLocked(storeLock(partition)) }

    /// Takes the lock beside a partition's store.
    package func take(_ partition: Int) throws -> (any OwnedPartition)? {
        guard let lock = try FileLock.attempt(path: storeLock(partition)) else { return nil }
        return LockBox(lock)
    }

    private func memberLock(_ replica: Int) -> String { "\(membersFolder)/\(replica).lock" }

    private func storeLock(_ partition: Int) -> String { "\(dataFolder)/\(partition).sqlite.lock" }

    private func isLocked(_ path: String) throws -> Bool {
        let probe = try FileLock.attempt(path: path, shared: true)
        switch consume probe {
        case .none: return true
        case .some: return false
        }
    }
}

/// A replica's own lock, which is taken again if its file was removed or replaced.
private final class MemberLock: Membership {
    private let lock: LockBox
    private let path: String

    init(_ lock: LockBox, at path: String) {
        self.lock = lock
        self.path = path
    }

    func renew() throws -> Bool { try lock.isStillOwned || lock.replace(path: path) }

    func release() { lock.release() }
}
