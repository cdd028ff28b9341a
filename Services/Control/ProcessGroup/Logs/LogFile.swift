import Glibc
import Program

/// A log rotated by size; one former file is kept.
final class LogFile {
    static let maximumBytes = 64 << 20
    private static let flags = O_WRONLY | O_CREAT | O_APPEND

    private let path: String
    private var file: Descriptor
    private var size: Int

    init(path: String) throws(SystemFault) {
        self.path = path
        file = try Descriptor.open(path, Self.flags)
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
        do { file = try Descriptor.open(path, Self.flags) } catch { return }
    }
}
