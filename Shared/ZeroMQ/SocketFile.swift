import Glibc

/// Which file is at a socket's path: another one has another inode for as long as the socket is open.
package struct SocketFile: Equatable, Sendable {
    private let device: dev_t
    private let inode: ino_t

    /// Nil when there is none.
    package init?(at path: String) {
        var found = stat()
        guard lstat(path, &found) == 0 else { return nil }
        (device, inode) = (found.st_dev, found.st_ino)
    }

    /// Nil when there is none, and on `tcp://`.
    init?(of plan: SocketPlan) {
        guard let path = plan.address.path else { return nil }
        self.init(at: path)
    }
}
