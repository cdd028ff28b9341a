import Contracts
import DeliveryCore
import Foundation
import Glibc
import ZeroMQ

/// A request that is so large that it is read before its turn.
final class LargeRequest: @unchecked Sendable {  // `inbound` is guarded by the inbox that admitted it
    let identifier: String
    let bytes: Int
    /// What is read; unlike the place to answer to it never changes.
    let body: [UInt8]
    var inbound: Inbound

    init(_ identifier: String, _ inbound: Inbound) {
        self.identifier = identifier
        self.inbound = inbound
        bytes = inbound.bytes
        body = inbound.frames.dropFirst(2).first ?? []
    }
}

/// The few threads that read large requests ahead, so that the thread of the partition finds the costly part done.
///
/// What is found stays in the memory of the service, as a note about those very bytes; the request then goes on as it
/// came. If the process dies nothing is left of either, and whoever asked asks again. The smallest request is read
/// first: one who sends much waits for those who send little.
final class ReadingRoom: @unchecked Sendable {  // `waiting` and `isClosed` are guarded by `condition`
    /// A request above so many bytes is read ahead.
    static let largeBytes = 8 << 10
    /// How much the threads leave to all others.
    private static let niceness: Int32 = 10
    private static let mostThreads = 4

    private let readAhead: @Sendable ([UInt8]) -> Void
    private let condition = MonotonicCondition()
    /// The largest first; the inboxes bound how many there are.
    private var waiting: [(request: LargeRequest, inbox: Inbox)] = []
    private var isClosed = false

    /// A room in which `readAhead` looks at the bytes of requests; `open` starts its threads.
    init(_ readAhead: @escaping @Sendable ([UInt8]) -> Void) { self.readAhead = readAhead }

    /// Starts the threads.
    func open() {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        for _ in 0..<max(1, min(Self.mostThreads, cores / 2)) {
            let thread = Thread { [self] in
                setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)
                while let (request, inbox) = next() {
                    guard !inbox.hasStopped else { continue }
                    readAhead(request.body)
                    inbox.offer(request)
                }
            }
            thread.name = "reading"
            thread.stackSize = 4 << 20
            thread.start()
        }
    }

    /// Ends the threads after what they have in hand.
    func close() {
        condition.withLock {
            isClosed = true
            condition.broadcast()
        }
    }

    /// Queues a request, which goes on to `inbox` when it was read.
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

extension ReadingRoom {
    /// Where what arrived at a partition's endpoint goes: a large request is read first, all else waits its turn.
    ///
    /// - Returns: what finds no room.
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
    /// The question that a message puts; nil when it is another one.
    func request(in inbound: Inbound) -> WireHeader.Request? {
        decode(Array(inbound.frames.prefix(2)))?.header.request
    }
}

extension Arrival {
    /// What arrived at the partition's endpoint.
    var message: Inbound? { if case .message(let inbound) = self { inbound } else { nil } }
}
