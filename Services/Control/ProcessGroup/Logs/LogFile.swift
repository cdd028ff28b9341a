import Glibc

/// A log rotated by size; one former file is kept.
final class LogFile {
    static let maximumBytes = 64 << 20

    private let path: String
    private var file: Descriptor
    private var size: Int

    init(path: String) throws(SystemFault) {
        self.path = path
        file = try Self.open(path)
        size = Int(lseek(file.number, 0, SEEK_END))
    }

    /// A failed write loses the line here, but not on the terminal.
    func add(_ line: String) {
        var text = line + "\n"
        size += max(0, text.withUTF8 { write(file.number, $0.baseAddress, $0.count) })
        if size > Self.maximumBytes { rotate() }
    }

    private func rotate() {
        guard rename(path, path + ".1") == 0 else { return }
        size = 0
        do { file = try Self.open(path) } catch { return }
    }

    private static func open(_ path: String) throws(SystemFault) -> Descriptor {
        let opened = Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        return try Descriptor(opened, from: "open", path)
    }
}
