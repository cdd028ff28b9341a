import NIOConcurrencyHelpers

/// How much one gateway has in hand: requests and waits, and bytes of large bodies.
///
/// What is beyond the bounds is answered 503 before anything of it is accepted.
struct Admission: Sendable {
    /// Most requests and waits in flight.
    static let maximumRequests = 4_096
    /// Most bytes of bodies above the small limit, over all requests in flight.
    static let maximumLargeBytes = 256 << 20

    private struct State {
        var requests = 0
        var largeBytes = 0
        var answered = 0
        var turnedAway = 0
    }

    private let maximumRequests: Int
    private let maximumLargeBytes: Int
    private let state = NIOLockedValueBox(State())

    /// Bounds, by default those of the gateway.
    init(maximumRequests: Int = Self.maximumRequests, maximumLargeBytes: Int = Self.maximumLargeBytes) {
        self.maximumRequests = maximumRequests
        self.maximumLargeBytes = maximumLargeBytes
    }

    /// Requests in flight now.
    var inFlight: Int { state.withLockedValue { $0.requests } }
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

    /// Counts bytes of a large body in; whoever did so gives them back with `release`.
    ///
    /// - Throws: `Problem` 503 when too many are in hand.
    func reserve(bytes: Int) throws(Problem) {
        let admitted = state.withLockedValue { state in
            guard state.largeBytes + bytes <= maximumLargeBytes else {
                state.turnedAway += 1
                return false
            }
            state.largeBytes += bytes
            return true
        }
        guard admitted else { throw Self.saturated }
    }

    /// Counts bytes of a large body out.
    func release(bytes: Int) { state.withLockedValue { $0.largeBytes -= bytes } }

    private static var saturated: Problem {
        .unavailable("The gateway has too much in hand; nothing was accepted, try again.")
    }
}
