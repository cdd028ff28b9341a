import Glibc

/// An append-only file of lines, written from any thread.
final class Recording: Sendable {
    private let descriptor: Int32

    init(path: String) throws(ConfigurationError) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            throw ConfigurationError(file: path, problem: "cannot be written (\(reason)); correct --record")
        }
    }

    deinit { close(descriptor) }

    /// Adds a line in one write: files opened for appending need no lock.
    func add(_ line: String) {
        var text = line + "\n"
        _ = text.withUTF8 { write(descriptor, $0.baseAddress, $0.count) }
    }
}
