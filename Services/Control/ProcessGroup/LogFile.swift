import Glibc

/// A log that starts anew when it has grown large; the one before is kept beside it.
final class LogFile {
    /// The size at which a log is set aside, in bytes.
    static let maximumBytes = 64 << 20

    private let path: String
    private var descriptor: Int32
    private var size: Int

    init(path: String) throws(SystemFault) {
        self.path = path
        descriptor = -1
        size = 0
        try reopen()
    }

    deinit { close(descriptor) }

    /// Adds a line; one that cannot be written is lost here, but still stands on the terminal.
    func add(_ line: String) {
        var text = line + "\n"
        let count = text.withUTF8 { write(descriptor, $0.baseAddress, $0.count) }
        size += max(0, count)
        if size > Self.maximumBytes { rotate() }
    }

    private func rotate() {
        guard rename(path, path + ".1") == 0 else { return }
        do { try reopen() } catch { size = 0 }
    }

    private func reopen() throws(SystemFault) {
        let opened = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw SystemFault("open", path) }
        if descriptor >= 0 { close(descriptor) }
        descriptor = try Descriptors.raised(opened)
        size = Int(lseek(descriptor, 0, SEEK_END))
    }
}
