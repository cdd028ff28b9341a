import Contracts
import Delivery
import FoundationEssentials
import Glibc
import NIOConcurrencyHelpers
import Program

/// The requests that this gateway has answered last, in a file of bounded size.
///
/// Each new one takes the place of the oldest.
///
/// It decides nothing, so that a write that fails is forgotten, and none waits for the disk.
final class RequestLog: Sendable {
    /// 32 MiB of records.
    static let maximumRecords = 65_536

    private struct State {
        var next: Int64
    }

    private let records: Int
    private let descriptor: Int32
    private let state: NIOLockedValueBox<State>

    /// Goes on behind the newest record of the file; nil when it cannot be opened.
    init?(_ path: String, records: Int = RequestLog.maximumRecords) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        (self.descriptor, self.records) = (descriptor, records)
        state = NIOLockedValueBox(State(next: Self.newest(in: descriptor) + 1))
    }

    deinit { close(descriptor) }

    private static func newest(in descriptor: Int32) -> Int64 {
        let size = RequestRecord.bytes
        var newest: Int64 = 0
        var place = 0
        var bytes = [UInt8](repeating: 0, count: size * 128)
        while case let count:Int = pread(descriptor, &bytes, bytes.count, off_t(place)), count >= size {
            for start in stride(from: 0, to: count - size + 1, by: size) {
                newest = max(newest, RequestRecord.number(of: bytes[start..<start + size]) ?? 0)
            }
            place += count
        }
        return newest
    }

    /// Adds a record, whatever number it has.
    func add(_ record: RequestRecord) {
        var record = record
        record.number = state.withLockedValue { state in
            defer { state.next += 1 }
            return state.next
        }
        let line = record.line
        let place = record.number % Int64(records) * Int64(RequestRecord.bytes)
        _ = pwrite(descriptor, line, line.count, off_t(place))
    }
}
