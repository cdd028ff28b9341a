import Foundation
import Glibc
import NIOConcurrencyHelpers

/// What happened to a payment, as the phones' own memory.
struct JournalLine: Encodable {
    enum Event: String, Encodable {
        /// The customer has paid; written before the proof is sent for the first time.
        case paid
        /// A second device has the same purchase under another id; written before that is handed in.
        case restored
        /// The gateway has acknowledged the proof; written before the phone relies on it.
        case accepted
        /// A later answer said what became of it.
        case answered
    }

    let event: Event
    let transactionId: String
    /// Microseconds since 1970.
    let at: Int64
    /// What was paid for, where this is it, restored.
    var originalTransactionId: String?
    var owner: String?
    var submitter: String?
    var orderId: String?
    var productId: String?
    var quantity: Int?
    var habit: String?
    var receiptId: String?
    var verdict: String?
    /// When the proof was sent for the first time.
    var sentAt: Int64?
}

/// A file of lines that are on the disk before whoever wrote them goes on.
///
/// One thread writes: what has come together in `lingerMicroseconds`, with one fdatasync.
final class Journal: Sendable {
    /// The file could not be written; nothing that it should hold can be relied on.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static let lingerMicroseconds: UInt32 = 2_000
    private static let encoder = JSONEncoder()

    private struct State {
        var bytes: [UInt8] = []
        var waiting: [CheckedContinuation<Void, any Error>] = []
        var isClosed = false
    }

    private let descriptor: Int32
    private let state = NIOLockedValueBox(State())
    /// 1 while there is something to write, or the journal was closed.
    private let signal = ConditionLock(value: 0)

    /// Begins a new journal.
    ///
    /// - Throws: `WrongUse` when the file cannot be made.
    init(path: String) throws(WrongUse) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw WrongUse(
                description: "--journal \(path) cannot be written: \(String(cString: strerror(errno)))"
            )
        }
        Thread { [self] in writeAll() }.start()
    }

    /// Adds a line and returns when it is on the disk.
    ///
    /// - Throws: `Failure`.
    func add(_ line: JournalLine) async throws {
        let bytes = [UInt8](try Self.encoder.encode(line)) + [UInt8(ascii: "\n")]
        try await withCheckedThrowingContinuation { continuation in
            let isFirst = state.withLockedValue { state in
                state.bytes += bytes
                state.waiting.append(continuation)
                return state.waiting.count == 1
            }
            if isFirst { wake() }
        }
    }

    /// Ends the thread once everything is written.
    func close() {
        state.withLockedValue { $0.isClosed = true }
        wake()
    }

    private func wake() {
        signal.lock()
        signal.unlock(withValue: 1)
    }

    private func writeAll() {
        while true {
            signal.lock(whenValue: 1)
            signal.unlock(withValue: 0)
            usleep(Self.lingerMicroseconds)
            let taken = state.withLockedValue { state in
                defer { (state.bytes, state.waiting) = ([], []) }
                return state
            }
            let result = Result { try write(taken.bytes) }
            for continuation in taken.waiting { continuation.resume(with: result) }
            if taken.isClosed { break }
        }
        Glibc.close(descriptor)
    }

    private func write(_ bytes: [UInt8]) throws {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            guard count > 0 || errno == EINTR else { throw Self.failure() }
            written += max(count, 0)
        }
        guard fdatasync(descriptor) == 0 else { throw Self.failure() }
    }

    private static func failure() -> Failure {
        Failure(description: "the journal cannot be written: \(String(cString: strerror(errno)))")
    }
}
