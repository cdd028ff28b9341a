import Contracts
import ZeroMQ

/// What waits for a partition's thread.
enum Arrival: Sendable {
    case message(Inbound)
    case answer(Inbound, by: PartitionAddress)
    case connected(PartitionAddress)
    case worked(WorkItem, result: [UInt8])
    /// Asks for a round through the store.
    case probe(@Sendable () -> Void)
}

/// The queue between the I/O thread and a partition's thread.
///
/// Bounded by count and by bytes: what is above a bound is given back, so that the owner answers `busy` to requests; what
/// links carry is repeated by itself. A large request is first read by a `ReadingRoom` and then waits in a queue of its
/// own, of which the thread takes one huge one at a time, or some smaller ones, between what else has arrived: they hold
/// up the others by no more than that, however many of their kind wait.
final class Inbox: @unchecked Sendable {  // every member is guarded by `condition`
    /// Messages that may wait.
    static let bound = 16_384
    /// Bytes that may wait.
    static let boundBytes = 64 << 20
    /// Bytes above which no request of more than `hugeBytes` is taken, so that those do not crowd out the others.
    static let hugeBoundBytes = 32 << 20
    static let hugeBytes = 256 << 10

    private let condition = MonotonicCondition()
    private var waiting: [Arrival] = []
    private var bytes = 0
    /// Large requests by their ids: those that are being read, and those that were.
    private var large: [String: LargeRequest] = [:]
    /// Those that were read, the largest first.
    private var read: [LargeRequest] = []
    private var isTurnOfLarge = false
    private var readsAhead = false
    private var isStopped = false

    /// Puts what arrived at the end of the queue; returns what finds no room.
    @discardableResult
    func put(_ arrivals: some Collection<Arrival>) -> [Arrival] {
        condition.withLock {
            var refused: [Arrival] = []
            for arrival in arrivals {
                guard waiting.count < Self.bound, hasRoom(for: arrival.bytes) else {
                    refused.append(arrival)
                    continue
                }
                waiting.append(arrival)
                bytes += arrival.bytes
            }
            condition.signal()
            return refused
        }
    }

    /// Puts something at the end of the queue that nobody would repeat; it is never refused.
    func enqueueUnbounded(_ arrival: Arrival) {
        condition.withLock {
            waiting.append(arrival)
            bytes += arrival.bytes
            condition.signal()
        }
    }

    /// Whether large requests may be read ahead of their turn.
    ///
    /// Not while messages are handled one at a time after an unclean end: what ends the process must do so in hand, where
    /// it is noted as suspect.
    var mayReadAhead: Bool {
        get { condition.withLock { readsAhead } }
        set { condition.withLock { readsAhead = newValue } }
    }

    /// What became of a large request.
    enum Admission {
        /// It counts from now on, and is to be read.
        case taken(LargeRequest)
        /// It waits already, and will be answered where it was repeated from; or the thread leaves, and whoever asks
        /// repeats it to the next owner.
        case repeated
        /// There is no room for it.
        case refused
    }

    /// Makes room for a large request.
    func admit(_ inbound: Inbound, identifier: String) -> Admission {
        condition.withLock {
            if let known = large[identifier] {
                known.inbound.peer = inbound.peer
                return .repeated
            }
            let request = LargeRequest(identifier, inbound)
            guard !isStopped else { return .repeated }
            guard large.count < Self.bound, hasRoom(for: request.bytes) else { return .refused }
            large[identifier] = request
            bytes += request.bytes
            return .taken(request)
        }
    }

    /// Queues a large request that was read; the smallest is taken first.
    func offer(_ request: LargeRequest) {
        condition.withLock {
            read.insert(request, at: read.firstIndex { $0.bytes <= request.bytes } ?? read.endIndex)
            condition.signal()
        }
    }

    private func hasRoom(for more: Int) -> Bool {
        bytes + more <= (more > Self.hugeBytes ? Self.hugeBoundBytes : Self.boundBytes)
    }

    /// Asks the thread to leave.
    func stop() {
        condition.withLock {
            isStopped = true
            condition.signal()
        }
    }

    /// Whether the thread was asked to leave.
    var hasStopped: Bool { condition.withLock { isStopped } }

    /// What waits, `limit` at most, or some large requests; none when the monotonic clock shows `uptime` ms, or the thread
    /// is to leave.
    func take(limit: Int, untilUptime uptime: Int64?) -> [Arrival] {
        condition.withLock {
            condition.wait(untilUptime: uptime) { !waiting.isEmpty || !read.isEmpty || isStopped }
            let taken = takeLarge(limit) ?? takeWaiting(limit)
            for arrival in taken { bytes -= arrival.bytes }
            return taken
        }
    }

    private func takeLarge(_ limit: Int) -> [Arrival]? {
        defer { isTurnOfLarge.toggle() }
        guard isTurnOfLarge || waiting.isEmpty else { return nil }
        var taken: [Arrival] = []
        var size = 0
        while taken.count < limit, let next = read.last, taken.isEmpty || size + next.bytes <= Self.hugeBytes
        {
            read.removeLast()
            large[next.identifier] = nil
            size += next.bytes
            taken.append(.message(next.inbound))
        }
        return taken.isEmpty ? nil : taken
    }

    private func takeWaiting(_ limit: Int) -> [Arrival] {
        guard waiting.count > limit else {
            let all = waiting
            waiting = []
            return all
        }
        let first = Array(waiting.prefix(limit))
        waiting.removeFirst(limit)
        return first
    }
}

extension Arrival {
    /// What it holds in memory, as far as others decide about it.
    var bytes: Int {
        switch self {
        case .message(let inbound), .answer(let inbound, _): inbound.bytes
        case .worked(_, let result): result.count
        case .connected, .probe: 0
        }
    }
}

extension Inbound {
    /// Bytes of all frames.
    var bytes: Int { frames.reduce(0) { $0 + $1.count } }
}
