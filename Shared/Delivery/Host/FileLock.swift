import Glibc

/// The exclusive right to a partition on one machine: `flock` on a file that is never unlinked.
///
/// The kernel frees it when the process ends, however it ends: a standby owns it about a millisecond later, without a
/// clock or a split brain.
package struct FileLock: ~Copyable {
    /// Why a lock could not be tried.
    package struct Fault: Error, CustomStringConvertible {
        package let path: String
        package let code: Int32
        package var description: String { "\(path): \(String(cString: strerror(code)))" }
    }

    private let descriptor: Int32
    private let path: String

    /// Takes the lock at `path` if it is free; nil when another process holds it.
    ///
    /// Others may hold a `shared` lock as well, if they also ask for it shared.
    ///
    /// - Throws: `Fault` when the file cannot be opened or locked.
    package static func attempt(path: String, shared: Bool = false) throws(Fault) -> FileLock? {
        while true {
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw Fault(path: path, code: errno) }
            guard flock(descriptor, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0 else {
                let code = errno
                Glibc.close(descriptor)
                if code == EINTR { continue }
                guard code == EWOULDBLOCK else { throw Fault(path: path, code: code) }
                return nil
            }
            if isStill(descriptor, at: path) { return FileLock(descriptor: descriptor, path: path) }
            Glibc.close(descriptor)
        }
    }

    private static func isStill(_ descriptor: Int32, at path: String) -> Bool {
        var held = stat()
        var named = stat()
        return fstat(descriptor, &held) == 0 && stat(path, &named) == 0 && held.st_ino == named.st_ino
            && held.st_dev == named.st_dev
    }

    private init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    /// If false, another process may lock the other file.
    package var isAtItsPath: Bool { Self.isStill(descriptor, at: path) }

    deinit { close(descriptor) }
}
