import NIOConcurrencyHelpers

/// A share of a gateway: so many requests and so many bytes of their bodies may be in hand, and no more.
struct Lane: Sendable {
    private struct State {
        var requests = 0
        var bytes = 0
        var answered = 0
        var turnedAway = 0
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

    /// Counts bytes of a body in; whoever did so gives them back with `release`.
    ///
    /// - Throws: `Problem` 503 when too many are in hand.
    func reserve(bytes: Int) throws(Problem) {
        let admitted = state.withLockedValue { state in
            guard state.bytes + bytes <= maximumBytes else {
                state.turnedAway += 1
                return false
            }
            state.bytes += bytes
            return true
        }
        guard admitted else { throw Self.saturated }
    }

    /// Counts bytes of a body out.
    func release(bytes: Int) { state.withLockedValue { $0.bytes -= bytes } }

    private static var saturated: Problem {
        .unavailable("The gateway has too much in hand; nothing was accepted, try again.")
    }
}
