import Delivery
import Glibc
import Program
import ZeroMQ

/// Where `counterfoil up` takes commands: a socket, and the lock that says that its path is this process's.
final class CommandSocket {
    private let home: Home
    private var lock: FileLock?
    private(set) var listener: Descriptor
    private var file: SocketFile?

    /// Only one `counterfoil up` runs in a home; the lock ends with its holder.
    static func lock(_ home: Home) throws -> FileLock {
        guard let lock = try FileLock.attempt(path: home.upLock) else {
            let advice = "end it with `counterfoil down --home \(home.root)`"
            throw CommandFailure(description: "`counterfoil up` runs already in \(home.root); \(advice)")
        }
        return lock
    }

    init(home: Home, holding lock: consuming FileLock) throws {
        self.home = home
        self.lock = consume lock
        listener = try UnixSocket.listen(at: home.upSocket)
        file = SocketFile(at: home.upSocket)
    }

    /// Takes the lock again, and listens again, if their files were removed or replaced.
    ///
    /// - Returns: whether the home is still this process's; false if another `up` has the lock.
    func restore() throws -> Bool {
        if !(lock?.isAtItsPath ?? false) {
            try home.makeFolders()
            lock = try FileLock.attempt(path: home.upLock)
            guard lock?.isAtItsPath ?? false else { return false }
        }
        guard file == nil || file != SocketFile(at: home.upSocket) else { return true }
        listener = try UnixSocket.listen(at: home.upSocket)
        file = SocketFile(at: home.upSocket)
        return true
    }

    /// Lets another `up` begin.
    func close() {
        if lock?.isAtItsPath ?? false { unlink(home.upSocket) }
        lock = nil
    }
}
