package import Contracts
package import FoundationEssentials
import NIOConcurrencyHelpers
package import ZeroMQ

/// Sends requests to partitions and waits for replies, for the gateway and the operator's command.
///
/// A request is repeated after a reconnect, and after 2 s, doubling, until its deadline: a slow owner gets little
/// extra load, and a new one is asked at once. Repeats are harmless: every request is idempotent. A request that came
/// to another partition is repeated after 250 ms, doubling up to 2 s.
///
/// Where a partition listens is looked up for each request, and several times a second while one waits. If that has
/// changed, the former socket is closed, and what waits is asked at the new place.
package final class RequestClient: Sendable {
    package static let inFlightBound = 4_096
    package static let firstRepeatMilliseconds: Int64 = 2_000

    /// Pause before a request is repeated that came to another partition for the first time.
    private static let astrayMilliseconds: Int64 = 250
    /// Between two looks at where the partitions listen that owe a reply.
    private static let lookMilliseconds: Int64 = 250
    private static let idleMilliseconds: Int64 = 3_600_000

    /// Why there is no reply.
    package enum Fault: Error, Equatable {
        /// The deadline passed; whether the request took effect is unknown.
        case timedOut
        /// Too many requests are in flight; nothing was sent.
        case busy
        case badReply(String)
    }

    private struct Pending {
        var continuation: CheckedContinuation<Data, any Error>
        let address: PartitionAddress
        let event: [UInt8]
        let deadline: Int64
        var repeatAt: Int64
        var pause: Int64
        /// The pause after the next answer that it came to another partition.
        var astrayPause = RequestClient.astrayMilliseconds

        /// The request with its remaining timeout.
        func frames(_ identifier: String, at uptime: Int64) -> [Frame] {
            let within = max(0, deadline - uptime)
            let header = WireHeader(request: .init(id: identifier, to: address, within: within))
            return WireCoder().encode(WireMessage(header, body: [event]))
        }
    }

    private struct State {
        var pending: [String: Pending] = [:]
        var dealers: [PartitionAddress: Dealer] = [:]
        var reviewAt: Int64 = 0
        var isStopped = false
    }

    private let sockets: SocketLoop
    private let endpoints: any Endpoints
    private let source: String
    private let firstRepeat: Int64
    private let state = NIOLockedValueBox(State())
    private let waker = Waker()

    /// `source` is the requester, such as `/gateway`; `firstRepeat` the pause before the first repeat, in ms.
    package init(
        sockets: SocketLoop,
        source: String,
        endpoints: any Endpoints,
        firstRepeat: Int64 = firstRepeatMilliseconds
    ) {
        self.sockets = sockets
        self.source = source
        self.firstRepeat = firstRepeat
        self.endpoints = endpoints
        runThread(name: "requests") { [weak self, waker] in
            while let pause = self?.review() { waker.pause(milliseconds: pause) }
        }
    }

    deinit {
        state.withLockedValue { $0.isStopped = true }
        waker.wake()
    }

    /// Sends a request to the owner of its key.
    ///
    /// `subject` is the ordering key, such as the buyer; `milliseconds` the timeout.
    ///
    /// - Throws: `RequestRefusal`, `Fault`, `ZeroMQError`.
    package func ask<Question: RequestContract>(
        _ question: Question,
        of address: PartitionAddress,
        subject: String = "-",
        within milliseconds: Int64
    ) async throws -> Question.Reply {
        let identifier = IdentifierSource.eventID()
        let now = ClockReading.current()
        let event = Event(id: identifier, source: source, time: now.now, subject: subject, data: question)
        let body = [UInt8](try EventCoder.encoder().encode(event))
        let reply = try await ask(body, identifier.rawValue, of: address, at: now, within: milliseconds)
        do {
            return try EventDecoder().decode(Question.Reply.self, from: [UInt8](reply))
        } catch {
            throw Fault.badReply(String(describing: error))
        }
    }

    /// Sends an encoded event, and returns the reply's bytes.
    ///
    /// - Throws: `RequestRefusal`, `Fault`, `ZeroMQError`.
    package func ask(
        _ event: [UInt8],
        _ identifier: String,
        of address: PartitionAddress,
        at now: ClockReading,
        within milliseconds: Int64
    ) async throws -> Data {
        try connect(to: address)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let pending = Pending(
                    continuation: continuation,
                    address: address,
                    event: event,
                    deadline: now.uptime + milliseconds,
                    repeatAt: now.uptime + firstRepeat,
                    pause: firstRepeat
                )
                guard let socket = enter(identifier, pending, at: now.uptime) else {
                    return continuation.resume(throwing: Fault.busy)
                }
                sockets.send(pending.frames(identifier, at: now.uptime), on: socket)
                if Task.isCancelled { finish(identifier, .failure(CancellationError())) }
            }
        } onCancel: {
            finish(identifier, .failure(CancellationError()))
        }
    }

    /// Returns the socket on which to send: whoever replaces it from now on sends what is pending on the new one.
    ///
    /// Nil if too many requests are in flight.
    private func enter(_ identifier: String, _ pending: Pending, at now: Int64) -> SocketID? {
        let (isEarlier, socket) = state.withLockedValue { state -> (Bool, SocketID?) in
            guard state.pending.count < Self.inFlightBound, let dealer = state.dealers[pending.address] else {
                return (false, nil)
            }
            state.pending[identifier] = pending
            let next = min(pending.repeatAt, pending.deadline, now + Self.lookMilliseconds)
            defer { state.reviewAt = min(state.reviewAt, next) }
            return (next < state.reviewAt, dealer.socket)
        }
        if isEarlier { waker.wake() }
        return socket
    }

    /// Makes a socket to where a partition listens now, unless there is one; the one to another place is closed.
    private func connect(to address: PartitionAddress) throws {
        let endpoint = endpoints.endpoint(of: address)
        if state.withLockedValue({ $0.dealers[address]?.endpoint }) == endpoint { return }
        let socket = try sockets.connect(
            to: endpoint,
            maximumMessageBytes: WireMessage.maximumRequestBytes,
            onConnected: { [weak self] in self?.connected(address) },
            deliver: { [weak self] in self?.received($0) }
        )
        let spare = state.withLockedValue { state -> SocketID? in
            let other = state.dealers[address]
            if let other, other.endpoint == endpoint { return socket }
            state.dealers[address] = Dealer(socket: socket, endpoint: endpoint)
            return other?.socket
        }
        guard let spare else { return }
        sockets.close(spare)
        // The new socket may have been connected before it was known here.
        connected(address)
    }

    private func received(_ messages: [Inbound]) {
        let coder = WireCoder()
        for message in messages {
            guard let reply = coder.decode(message.frames), let header = reply.header.reply else { continue }
            if header.isAstray == true {
                hasten(header.id)
            } else if let refusal = header.refused {
                finish(header.id, .failure(refusal))
            } else if let body = reply.body.first {
                finish(header.id, .success(Data(body)))
            }
        }
    }

    /// Brings the next repeat forward, a little less each time; the socket thread cannot look the address up itself.
    private func hasten(_ identifier: String) {
        let now = ClockReading.current().uptime
        let isEarlier = state.withLockedValue { state in
            guard let pending = state.pending[identifier] else { return false }
            let repeatAt = now + pending.astrayPause
            guard repeatAt < pending.repeatAt else { return false }
            state.pending[identifier]?.repeatAt = repeatAt
            state.pending[identifier]?.pause = firstRepeat
            state.pending[identifier]?.astrayPause = min(pending.astrayPause * 2, firstRepeat)
            defer { state.reviewAt = min(state.reviewAt, repeatAt) }
            return repeatAt < state.reviewAt
        }
        if isEarlier { waker.wake() }
    }

    private func finish(_ identifier: String, _ result: Result<Data, any Error>) {
        state.withLockedValue { $0.pending.removeValue(forKey: identifier) }?.continuation.resume(
            with: result
        )
    }

    private func connected(_ address: PartitionAddress) {
        let now = ClockReading.current().uptime
        let again = state.withLockedValue { state -> [Outbound] in
            guard let dealer = state.dealers[address] else { return [] }
            return state.pending.filter { $0.value.address == address }
                .map { Outbound(socket: dealer.socket, frames: $0.value.frames($0.key, at: now)) }
        }
        if !again.isEmpty { sockets.send(again) }
    }

    /// Repeats or expires requests; returns the pause until the next review, in ms, or nil at the end.
    private func review() -> Int64? {
        let now = ClockReading.current().uptime
        lookUp()
        let (again, over, pause, isStopped) = state.withLockedValue { state in
            let over = state.pending.filter { $0.value.deadline <= now }
            for identifier in over.keys { state.pending[identifier] = nil }
            let again = Self.repeats(&state, now: now)
            let next = state.pending.values.map { min($0.repeatAt, $0.deadline) }.min()
            let pause = next.map { min(max(1, $0 - now), Self.lookMilliseconds) } ?? Self.idleMilliseconds
            state.reviewAt = now + pause
            return (again, over, pause, state.isStopped)
        }
        for pending in over.values { pending.continuation.resume(throwing: Fault.timedOut) }
        if !again.isEmpty { sockets.send(again) }
        return isStopped ? nil : pause
    }

    /// Looks up where the partitions listen that owe a reply; one that has moved gets a new socket.
    private func lookUp() {
        let addresses = state.withLockedValue { Set($0.pending.values.lazy.map(\.address)) }
        for address in addresses {
            do {
                try connect(to: address)
            } catch {
                let unsent = state.withLockedValue { $0.pending.filter { $0.value.address == address } }
                for identifier in unsent.keys { finish(identifier, .failure(error)) }
            }
        }
    }

    private static func repeats(_ state: inout State, now: Int64) -> [Outbound] {
        var again: [Outbound] = []
        for (identifier, pending) in state.pending where pending.repeatAt <= now {
            state.pending[identifier]?.pause = pending.pause * 2
            state.pending[identifier]?.repeatAt = now + pending.pause * 2
            guard let dealer = state.dealers[pending.address] else { continue }
            again.append(Outbound(socket: dealer.socket, frames: pending.frames(identifier, at: now)))
        }
        return again
    }
}
