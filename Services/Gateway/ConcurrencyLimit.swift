import NIOConcurrencyHelpers

/// Bounds how many requests are in flight, and how many bytes of their bodies.
struct ConcurrencyLimit: Sendable {
    /// Tells one body from another; the older has the smaller one.
    typealias Ticket = Int

    /// Ends the reading of a body.
    typealias Abort = @Sendable (Problem) -> Void

    private struct Body {
        var bytes = 0
        let abort: Abort?
    }

    private struct State {
        var inFlight = 0
        var bytes = 0
        var responses = 0
        var shed = 0
        var nextTicket = 0
        var bodies: [Ticket: Body] = [:]
        /// Incomplete bodies that may be aborted, of which bytes have come, oldest first.
        var incomplete: [Ticket] = []
    }

    private let maximumRequests: Int
    private let maximumBytes: Int
    private let state = NIOLockedValueBox(State())

    init(maximumRequests: Int, maximumBytes: Int) {
        self.maximumRequests = maximumRequests
        self.maximumBytes = maximumBytes
    }

    /// Requests in flight now.
    var inFlight: Int { state.withLockedValue { $0.inFlight } }
    /// Bytes of bodies in flight now.
    var bodyBytes: Int { state.withLockedValue { $0.bytes } }
    /// Responses so far, with whatever status.
    var responses: Int { state.withLockedValue { $0.responses } }
    /// Requests turned away so far because too much was in flight.
    var shed: Int { state.withLockedValue { $0.shed } }

    /// Counts a request for as long as `body` runs; 503 when too many are in flight.
    func run<Value>(_ body: () async throws -> Value) async throws -> Value {
        try enter()
        defer { leave() }
        return try await body()
    }

    func enter() throws(Problem) {
        let isAdmitted = state.withLockedValue { state in
            let isAdmitted = state.inFlight < maximumRequests
            if isAdmitted { state.inFlight += 1 } else { state.shed += 1 }
            return isAdmitted
        }
        guard isAdmitted else { throw Self.saturated }
    }

    func leave() {
        state.withLockedValue { state in
            state.inFlight -= 1
            state.responses += 1
        }
    }

    /// Expects a body; the caller gives its bytes back with `release`.
    ///
    /// A body with `abort` may be aborted for the bytes of others until it is complete.
    func expectBody(abort: Abort? = nil) -> Ticket {
        state.withLockedValue { state in
            let ticket = state.nextTicket
            state.nextTicket += 1
            state.bodies[ticket] = Body(abort: abort)
            return ticket
        }
    }

    /// Counts bytes of a body that have come.
    ///
    /// Where they are too many, the oldest incomplete bodies are aborted; where they still are, 503.
    func reserve(bytes: Int, for ticket: Ticket) throws(Problem) {
        let (isAdmitted, aborted) = state.withLockedValue { state in
            reserve(bytes, ticket, &state)
        }
        for abort in aborted { abort(Self.saturated) }
        guard isAdmitted else { throw Self.saturated }
    }

    /// The whole body has come.
    func complete(_ ticket: Ticket) {
        state.withLockedValue { $0.incomplete.removeAll { $0 == ticket } }
    }

    /// Counts the bytes of a body out.
    func release(_ ticket: Ticket) { state.withLockedValue { Self.remove(ticket, from: &$0) } }

    private func reserve(_ count: Int, _ ticket: Ticket, _ state: inout State) -> (Bool, [Abort]) {
        guard let body = state.bodies[ticket] else { return (false, []) }
        var aborted: [Abort] = []
        while state.bytes + count > maximumBytes, let oldest = state.incomplete.first(where: { $0 != ticket })
        {
            if let abort = state.bodies[oldest]?.abort { aborted.append(abort) }
            Self.remove(oldest, from: &state)
            state.shed += 1
        }
        guard state.bytes + count <= maximumBytes else {
            state.shed += 1
            return (false, aborted)
        }
        if body.bytes == 0, body.abort != nil { state.incomplete.append(ticket) }
        state.bodies[ticket]?.bytes += count
        state.bytes += count
        return (true, aborted)
    }

    private static func remove(_ ticket: Ticket, from state: inout State) {
        guard let body = state.bodies.removeValue(forKey: ticket) else { return }
        state.bytes -= body.bytes
        state.incomplete.removeAll { $0 == ticket }
    }

    private static var saturated: Problem {
        .unavailable("The gateway has too much in flight; nothing was accepted, try again.")
    }
}
