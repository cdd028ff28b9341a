import NIOConcurrencyHelpers

/// Limits the requests in flight and the bytes of their bodies.
struct ConcurrencyLimit: Sendable {
    /// Identifies a body; an older body has a smaller ticket.
    typealias Ticket = Int

    typealias Abort = @Sendable (Problem) -> Void

    /// Most bytes of the bodies of one buyer's phones: a few of the largest proofs.
    static let maximumBytesOfBuyer = 32 << 20

    private struct Body {
        var bytes = 0
        /// Whose phone sends it; nil of a server.
        let buyer: AppBuyer?
        let abort: Abort?
    }

    private struct State {
        var inFlight = 0
        var bytes = 0
        var responses = 0
        var shed = 0
        var nextTicket = 0
        var bodies: [Ticket: Body] = [:]
        /// Of the bodies that buyers' phones send.
        var bytesOfBuyers: [AppBuyer: Int] = [:]
        /// Incomplete bodies with bytes in flight that may be aborted, oldest first.
        var incomplete: [Ticket] = []

        mutating func complete(_ ticket: Ticket) { incomplete.removeAll { $0 == ticket } }

        mutating func release(_ ticket: Ticket) {
            complete(ticket)
            guard let body = bodies.removeValue(forKey: ticket) else { return }
            bytes -= body.bytes
            count(-body.bytes, of: body.buyer)
        }

        mutating func count(_ bytes: Int, of buyer: AppBuyer?) {
            guard let buyer else { return }
            let sum = bytesOfBuyers[buyer, default: 0] + bytes
            bytesOfBuyers[buyer] = sum > 0 ? sum : nil
        }
    }

    private let maximumRequests: Int
    private let maximumBytes: Int
    private let state = NIOLockedValueBox(State())

    init(maximumRequests: Int, maximumBytes: Int) {
        self.maximumRequests = maximumRequests
        self.maximumBytes = maximumBytes
    }

    var inFlight: Int { state.withLockedValue { $0.inFlight } }
    var bodyBytes: Int { state.withLockedValue { $0.bytes } }
    var responses: Int { state.withLockedValue { $0.responses } }
    var shed: Int { state.withLockedValue { $0.shed } }

    /// Counts a request while `body` runs; 503 when too many are in flight.
    func run<Value>(_ body: () async throws -> Value) async throws -> Value {
        try enter()
        defer { leave() }
        return try await body()
    }

    /// Counts a request until `leave`; 503 when too many are in flight.
    func enter() throws(Problem) {
        let isAdmitted = state.withLockedValue { state in
            let isAdmitted = state.inFlight < maximumRequests
            if isAdmitted { state.inFlight += 1 } else { state.shed += 1 }
            return isAdmitted
        }
        guard isAdmitted else { throw Self.saturated }
    }

    /// Ends a request that was let in.
    func leave() {
        state.withLockedValue { state in
            state.inFlight -= 1
            state.responses += 1
        }
    }

    /// Registers a body, which `release` ends; with `abort`, other bodies may displace it until it is complete.
    ///
    /// The bodies of one buyer's phones have a limit of their own.
    func expectBody(of buyer: AppBuyer? = nil, abort: Abort? = nil) -> Ticket {
        state.withLockedValue { state in
            let ticket = state.nextTicket
            state.nextTicket += 1
            state.bodies[ticket] = Body(buyer: buyer, abort: abort)
            return ticket
        }
    }

    /// Counts received bytes; aborts the oldest incomplete bodies when over the limit, and 503 if that is not enough.
    func reserve(bytes: Int, for ticket: Ticket) throws(Problem) {
        let (isAdmitted, aborted) = state.withLockedValue { reserve(bytes, ticket, &$0) }
        for abort in aborted { abort(Self.saturated) }
        guard isAdmitted else { throw Self.saturated }
    }

    func complete(_ ticket: Ticket) { state.withLockedValue { $0.complete(ticket) } }

    func release(_ ticket: Ticket) { state.withLockedValue { $0.release(ticket) } }

    private func reserve(_ count: Int, _ ticket: Ticket, _ state: inout State) -> (Bool, [Abort]) {
        guard let body = state.bodies[ticket] else { return (false, []) }
        var aborted: [Abort] = []
        if let buyer = body.buyer,
            state.bytesOfBuyers[buyer, default: 0] + count > Self.maximumBytesOfBuyer
        {
            state.shed += 1
            return (false, [])
        }
        while state.bytes + count > maximumBytes {
            state.shed += 1
            guard let oldest = state.incomplete.first(where: { $0 != ticket }) else {
                return (false, aborted)
            }
            if let abort = state.bodies[oldest]?.abort { aborted.append(abort) }
            state.release(oldest)
        }
        if body.bytes == 0, body.abort != nil { state.incomplete.append(ticket) }
        state.bodies[ticket]?.bytes += count
        state.bytes += count
        state.count(count, of: body.buyer)
        return (true, aborted)
    }

    private static let saturated = Problem.unavailable(
        "The gateway has too much in flight; nothing was accepted, try again."
    )
}
