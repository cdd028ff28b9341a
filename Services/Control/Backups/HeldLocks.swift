import Delivery
import Program

/// Locks of a home, held until the last reference is gone.
final class HeldLocks {
    private final class Held {
        private let lock: FileLock
        init(_ lock: consuming FileLock) { self.lock = lock }
    }

    private var held: [Held] = []

    /// - Throws: `ConfigurationError` with the problem when another process has one; `FileLock.Fault`.
    init(_ paths: [String], otherwise problem: String) throws {
        for path in paths {
            guard let lock = try FileLock.attempt(path: path) else {
                throw ConfigurationError(file: path, problem: problem)
            }
            held.append(Held(lock))
        }
    }
}
