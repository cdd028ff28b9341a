/// A lock that closures can hold; it is handed from one thread to the next, and never shared.
final class LockBox: OwnedPartition, @unchecked Sendable {
    private var lock: FileLock?

    init(_ lock: consuming FileLock) { self.lock = consume lock }

    var isStillOwned: Bool { lock?.isAtItsPath ?? false }

    /// Takes the lock at a path in place of the one that it holds; false when another process has it.
    func replace(path: String) throws(FileLock.Fault) -> Bool {
        guard let other = try FileLock.attempt(path: path) else { return false }
        lock = consume other
        return true
    }

    func release() { lock = nil }
}
