/// A lock that closures can hold.
final class LockBox: @unchecked Sendable {  // handed from one thread to the next, never shared
    private var lock: FileLock?

    init(_ lock: consuming FileLock) { self.lock = consume lock }

    var isAtItsPath: Bool { lock?.isAtItsPath ?? false }

    /// Takes the lock at a path in place of the one that it holds; false when another process has it.
    func replace(path: String) throws(FileLock.Fault) -> Bool {
        guard let other = try FileLock.attempt(path: path) else { return false }
        lock = consume other
        return true
    }

    func release() { lock = nil }
}
