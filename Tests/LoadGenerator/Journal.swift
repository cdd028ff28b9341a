import Dispatch
import Foundation
import Glibc
import LoadVerdict
import NIOConcurrencyHelpers

/// What happened to a payment or a wallet, as the phones' own memory.
struct JournalLine: Encodable {
    enum Event: String, Encodable {
        /// The customer has paid; written before the proof is sent for the first time.
        case paid
        /// A second device has the same purchase under another id; written before that is handed in.
        case restored
        /// Another login restores what was bought; written before that is asked.
        case transferred
        /// Another login on the same phone has the app receipt; written before that is handed in.
        case shared
        /// The gateway has acknowledged the proof; written before the phone relies on it.
        case accepted
        /// A later answer said what became of it.
        case answered
        /// Apple has renewed a subscription; written before the gateway is notified.
        case renewed
        /// The gateway has acknowledged a notification of Apple's.
        case notified
        /// A wallet is asked for something; written before.
        case asked
        /// The wallet has acknowledged it.
        case moved
    }

    let event: Event
    /// Nil of a wallet.
    var transactionId: String?
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
    var sentAt: Int64?
    /// Of a notification, with its subtype.
    var notificationType: String?
    /// What it says is refunded, in milliunits of a percent; nil if nothing is.
    var refundedShare: Int?
    /// Of a wallet.
    var key: String?
    var entitlement: String?
    var amount: Int64?
    var entryId: String?

    init(_ event: Event, _ payment: Payment) { self.init(event, transaction: payment.transactionId) }

    init(_ event: Event, transaction: String) {
        self.event = event
        transactionId = transaction
        at = WallClock.microseconds
    }

    init(_ event: Event, _ movement: Movement) {
        self.event = event
        at = WallClock.microseconds
        (key, entitlement, amount) = (movement.key, movement.entitlement, movement.change)
    }
}

/// A file of lines that are on the disk before whoever wrote them goes on.
///
/// One thread writes: what has come together in `lingerMicroseconds`, with one fdatasync.
final class Journal: Sendable {
    /// The file could not be written; nothing that it should hold can be relied on.
    struct Failure: Error, CustomStringConvertible {
        let description = "the journal cannot be written: \(String(cString: strerror(errno)))"
    }

    private static let lingerMicroseconds: UInt32 = 2_000
    private static let encoder = JSONEncoder()

    private struct State {
        var bytes = Data()
        var waiting: [CheckedContinuation<Void, any Error>] = []
    }

    private let file: FileHandle
    private let state = NIOLockedValueBox(State())
    private let writer = DispatchQueue(label: "journal")

    /// Begins a new journal.
    ///
    /// - Throws: `WrongUse` when the file cannot be made.
    init(path: String) throws(WrongUse) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw WrongUse(
                description: "--journal \(path) cannot be written: \(String(cString: strerror(errno)))"
            )
        }
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Adds a line and returns when it is on the disk.
    ///
    /// - Throws: `Failure`, or that of the file.
    func add(_ line: JournalLine) async throws {
        let bytes = try Self.encoder.encode(line) + Data("\n".utf8)
        try await withCheckedThrowingContinuation { continuation in
            let isFirst = state.withLockedValue { state in
                state.bytes += bytes
                state.waiting.append(continuation)
                return state.waiting.count == 1
            }
            if isFirst { writer.async { self.writeAll() } }
        }
    }

    private func writeAll() {
        usleep(Self.lingerMicroseconds)
        let taken = state.withLockedValue { state in
            defer { state = State() }
            return state
        }
        let result = Result { try write(taken.bytes) }
        for continuation in taken.waiting { continuation.resume(with: result) }
    }

    private func write(_ bytes: Data) throws {
        try file.write(contentsOf: bytes)
        guard fdatasync(file.fileDescriptor) == 0 else { throw Failure() }
    }
}
