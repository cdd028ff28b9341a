import Contracts
import NIOConcurrencyHelpers
import ZeroMQ

enum Arrival: Sendable {
    case message(Inbound)
    case answer(Inbound, by: PartitionAddress)
    case input(PartitionInput)
    /// Wakes the partition's thread.
    case probe
}

/// What waits for a partition's thread: what its sockets received, and what other threads have for it.
///
/// Bounded by count and by bytes: arrivals above a bound are returned, so that requests get `busy`; links repeat by
/// themselves. A large request is first read by a `ReadAheadPool` and then waits in a second queue. From it the thread
/// takes one huge request at a time, or some smaller ones, between other arrivals, which bounds the delay of the
/// others.
final class Inbox: @unchecked Sendable {  // every member is guarded by `lock`
    static let bound = 16_384
    static let boundBytes = 64 << 20
    /// Above this, requests of more than `hugeBytes` are refused, so that they do not crowd out the others.
    static let hugeBoundBytes = 32 << 20
    static let hugeBytes = 256 << 10

    private let lock = NIOLock()
    private var wake: @Sendable () -> Void = {}
    private var waiting: [Arrival] = []
    private var bytes = 0
    /// By id, both before and after reading.
    private var large: [String: LargeRequest] = [:]
    /// The largest first.
    private var read: [LargeRequest] = []
    private var isTurnOfLarge = false
    private var readsAhead = false
    private var isStopped = false

    /// Wakes the partition's thread from now on when another thread has something for it.
    func wakes(by wake: @escaping @Sendable () -> Void) { lock.withLock { self.wake = wake } }

    var isEmpty: Bool { lock.withLock { waiting.isEmpty && read.isEmpty } }

    /// Appends what the partition's own thread received; returns what is above the bounds.
    @discardableResult
    func put(_ arrivals: some Collection<Arrival>) -> [Arrival] {
        lock.withLock {
            var refused: [Arrival] = []
            for arrival in arrivals {
                guard waiting.count < Self.bound, hasRoom(for: arrival.bytes) else {
                    refused.append(arrival)
                    continue
                }
                waiting.append(arrival)
                bytes += arrival.bytes
            }
            return refused
        }
    }

    /// Appends, without a bound, what nobody would repeat, and wakes the thread.
    func enqueueUnbounded(_ arrival: Arrival) {
        waking {
            waiting.append(arrival)
            bytes += arrival.bytes
        }
    }

    private func waking(_ change: () -> Void) {
        let wake = lock.withLock {
            change()
            return self.wake
        }
        wake()
    }

    /// Whether large requests may be read ahead.
    ///
    /// Not while messages run one at a time after an unclean end: what ends the process must do so where it is noted
    /// as suspect.
    var mayReadAhead: Bool {
        get { lock.withLock { readsAhead } }
        set { lock.withLock { readsAhead = newValue } }
    }

    enum Admission {
        case taken(LargeRequest)
        /// Already queued, and answered on the connection of the repeat; or the thread is leaving, and the requester
        /// repeats it to the next owner.
        case repeated
        case refused
    }

    func admit(_ inbound: Inbound, identifier: String) -> Admission {
        lock.withLock {
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

    func offer(_ request: LargeRequest) {
        waking { read.insert(request, at: read.firstIndex { $0.bytes <= request.bytes } ?? read.endIndex) }
    }

    private func hasRoom(for more: Int) -> Bool {
        bytes + more <= (more > Self.hugeBytes ? Self.hugeBoundBytes : Self.boundBytes)
    }

    func stop() { waking { isStopped = true } }

    var hasStopped: Bool { lock.withLock { isStopped } }

    /// At most `limit` arrivals, or some large requests.
    func take(limit: Int) -> [Arrival] {
        lock.withLock {
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
    var bytes: Int {
        switch self {
        case .message(let inbound), .answer(let inbound, _): inbound.bytes
        case .input(.worked(_, let result)): result.count
        case .input, .probe: 0
        }
    }
}

extension Inbound {
    var bytes: Int { frames.reduce(0) { $0 + $1.count } }
}
