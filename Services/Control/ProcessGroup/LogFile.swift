import Glibc

/// A log rotated by size; one former file is kept.
final class LogFile {
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

    /// A failed write loses the line here, but not on the terminal.
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
