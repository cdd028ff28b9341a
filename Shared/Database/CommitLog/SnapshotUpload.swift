import Glibc

/// A file on its way into a log as a snapshot, part by part.
struct SnapshotUpload {
    private let file: String
    private let descriptor: Int32
    private let name: SnapshotName
    private let bytes: Int64
    private var number = 0
    private var sent: Int64 = 0
    private var digest = SnapshotDigest()

    /// The file holds the store as it is behind the entry at `head`, and does not change any more.
    init(of file: String, at head: LogHead) throws(StoreError) {
        self.file = file
        name = SnapshotName(head: head)
        descriptor = open(file, O_RDONLY | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_size > 0 else {
            let problem = String(cString: strerror(errno))
            if descriptor >= 0 { Glibc.close(descriptor) }
            throw .failed("\(file): \(problem)")
        }
        bytes = Int64(status.st_size)
    }

    /// Whether all parts are in the log.
    var isWhole: Bool { sent == bytes }

    /// What is kept once the upload is whole.
    var snapshot: LogSnapshot { LogSnapshot(name: name, parts: number, bytes: bytes, digest: digest.value) }

    /// Writes the next part, of so many bytes at most.
    mutating func send(to log: any CommitLog, partBytes: Int) throws {
        var part = [UInt8](repeating: 0, count: min(partBytes, Int(bytes - sent)))
        let count = pread(descriptor, &part, part.count, off_t(sent))
        guard count == part.count else {
            throw StoreError.failed("\(file): \(count) of \(part.count) bytes were read")
        }
        try log.write(part: part, number: number, of: name)
        digest.add(part)
        number += 1
        sent += Int64(part.count)
    }

    func close() { Glibc.close(descriptor) }
}
