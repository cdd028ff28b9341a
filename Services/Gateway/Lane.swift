import NIOConcurrencyHelpers

/// A share of a gateway: so many requests and so many bytes of their bodies may be in hand, and no more.
struct Lane: Sendable {
    /// Tells one body that is in hand from another; the older has the smaller one.
    typealias Ticket = Int

    /// Ends the reading of a body.
    typealias BreakOff = @Sendable (Problem) -> Void

    fileprivate struct Body {
        var bytes = 0
        let breakOff: BreakOff?
    }

    fileprivate struct State {
        var requests = 0
        var bytes = 0
        var answered = 0
        var turnedAway = 0
        var nextTicket = 0
        var bodies: [Ticket: Body] = [:]
        /// Those of which bytes are here and more are to come, and that may be broken off, oldest first.
        var arriving: [Ticket] = []
    }

    private let maximumRequests: Int
    private let maximumBytes: Int
    private let state = NIOLockedValueBox(State())

    /// An empty lane.
    init(maximumRequests: Int, maximumBytes: Int) {
        self.maximumRequests = maximumRequests
        self.maximumBytes = maximumBytes
    }

    /// Requests in flight now.
    var inFlight: Int { state.withLockedValue { $0.requests } }
    /// Bytes of bodies in hand now.
    var bytesInHand: Int { state.withLockedValue { $0.bytes } }
    /// Requests answered so far, with whatever status.
    var answered: Int { state.withLockedValue { $0.answered } }
    /// Requests turned away so far because too much was in hand.
    var turnedAway: Int { state.withLockedValue { $0.turnedAway } }

    /// Counts a request in.
    ///
    /// - Throws: `Problem` 503 when too many are in flight.
    func enter() throws(Problem) {
        let admitted = state.withLockedValue { state in
            guard state.requests < maximumRequests else {
                state.turnedAway += 1
                return false
            }
            state.requests += 1
            return true
        }
        guard admitted else { throw Self.saturated }
    }

    /// Counts a request out.
    func leave() {
        state.withLockedValue { state in
            state.requests -= 1
            state.answered += 1
        }
    }

    /// Expects a body; whoever does gives its bytes back with `release`.
    ///
    /// `breakOff` says that it may make room for others until it has come wholly.
    func expectBody(breakOff: BreakOff? = nil) -> Ticket {
        state.withLockedValue { state in
            let ticket = state.nextTicket
            state.nextTicket += 1
            state.bodies[ticket] = Body(breakOff: breakOff)
            return ticket
        }
    }

    /// Counts bytes of a body in that have come; where there is no room, the oldest that is still to come makes some.
    ///
    /// - Throws: `Problem` 503 when too many are in hand.
    func reserve(bytes: Int, for ticket: Ticket) throws(Problem) {
        let (admitted, brokenOff) = state.withLockedValue { $0.reserve(bytes, ticket, maximumBytes) }
        for breakOff in brokenOff { breakOff(Self.saturated) }
        guard admitted else { throw Self.saturated }
    }

    /// The whole body has come.
    func complete(_ ticket: Ticket) { state.withLockedValue { $0.stay(ticket) } }

    /// Counts the bytes of a body out.
    func release(_ ticket: Ticket) { state.withLockedValue { $0.remove(ticket) } }

    private static var saturated: Problem {
        .unavailable("The gateway has too much in hand; nothing was accepted, try again.")
    }
}

extension Lane.State {
    /// Whether the bytes found room, and who had to make it.
    fileprivate mutating func reserve(
        _ count: Int,
        _ ticket: Lane.Ticket,
        _ maximum: Int
    ) -> (Bool, [Lane.BreakOff]) {
        guard let body = bodies[ticket] else { return (false, []) }
        var brokenOff: [Lane.BreakOff] = []
        while bytes + count > maximum, let oldest = arriving.first(where: { $0 != ticket }) {
            if let breakOff = bodies[oldest]?.breakOff { brokenOff.append(breakOff) }
            remove(oldest)
            turnedAway += 1
        }
        guard bytes + count <= maximum else {
            turnedAway += 1
            return (false, brokenOff)
        }
        if body.bytes == 0, body.breakOff != nil { arriving.append(ticket) }
        bodies[ticket]?.bytes += count
        bytes += count
        return (true, brokenOff)
    }

    fileprivate mutating func stay(_ ticket: Lane.Ticket) {
        if let index = arriving.firstIndex(of: ticket) { arriving.remove(at: index) }
    }

    fileprivate mutating func remove(_ ticket: Lane.Ticket) {
        guard let body = bodies.removeValue(forKey: ticket) else { return }
        bytes -= body.bytes
        stay(ticket)
    }
}
