import Contracts
import FoundationEssentials
import Glibc
import ZeroMQ

/// The few threads that read large requests ahead of the partition's thread.
///
/// Results stay in the service's memory, as a note about those bytes; the request itself goes on unchanged. If the
/// process dies both are lost, and the requester repeats. The smallest request is read first, so that large senders do
/// not delay small ones.
final class ReadAheadPool: @unchecked Sendable {  // `waiting` and `isClosed` are guarded by `condition`
    /// Requests above this size are read ahead.
    static let largeBytes = 8 << 10
    /// Gives all other threads precedence.
    private static let niceness: Int32 = 10
    private static let mostThreads = 4

    private let readAhead: @Sendable ([UInt8]) -> Void
    private let condition = MonotonicCondition()
    /// The largest first; the inboxes bound the number.
    private var waiting: [(request: LargeRequest, inbox: Inbox)] = []
    private var isClosed = false

    init(_ readAhead: @escaping @Sendable ([UInt8]) -> Void) { self.readAhead = readAhead }

    func open() {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        for _ in 0..<max(1, min(Self.mostThreads, cores / 2)) {
            runThread(name: "reading", stackBytes: 4 << 20) { [self] in
                setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)
                while let (request, inbox) = next() {
                    guard !inbox.hasStopped else { continue }
                    readAhead(request.body)
                    inbox.offer(request)
                }
            }
        }
    }

    func close() {
        condition.withLock {
            isClosed = true
            condition.broadcast()
        }
    }

    func add(_ request: LargeRequest, for inbox: Inbox) {
        condition.withLock {
            let place = waiting.firstIndex { $0.request.bytes <= request.bytes }
            waiting.insert((request, inbox), at: place ?? waiting.endIndex)
            condition.signal()
        }
    }

    private func next() -> (request: LargeRequest, inbox: Inbox)? {
        condition.withLock {
            condition.wait(untilUptime: nil) { !waiting.isEmpty || isClosed }
            return isClosed ? nil : waiting.popLast()
        }
    }
}

extension ReadAheadPool {
    /// Routes arrivals: large requests are read first, all others are queued.
    ///
    /// - Returns: arrivals above the bounds.
    func sort(_ messages: [Inbound], into inbox: Inbox) -> [Inbound] {
        var others: [Arrival] = []
        var refused: [Inbound] = []
        for message in messages {
            guard message.bytes > Self.largeBytes, let request = WireCoder().request(in: message) else {
                others.append(.message(message))
                continue
            }
            switch inbox.admit(message, identifier: request.id) {
            case .taken(let request):
                if inbox.mayReadAhead { add(request, for: inbox) } else { inbox.offer(request) }
            case .repeated: break
            case .refused: refused.append(message)
            }
        }
        return refused + inbox.put(others).compactMap(\.message)
    }
}

extension WireCoder {
    func request(in inbound: Inbound) -> WireHeader.Request? {
        decode(Array(inbound.frames.prefix(2)))?.header.request
    }
}

extension Arrival {
    var message: Inbound? { if case .message(let inbound) = self { inbound } else { nil } }
}
