import NIOConcurrencyHelpers

/// How often the connections of a process look for a primary while there is none.
///
/// Each search connects to every server, with TLS and a password on both sides, and each partition has a connection of
/// its own. If all of them searched as fast as they can, they would take the processors that PostgreSQL and Patroni
/// need to promote a server.
///
/// | the last search | the next ones |
/// |---|---|
/// | found a primary | begin at once |
/// | found none, or one that may lose what it acknowledges | begin half a second after each other |
package final class SearchPace: Sendable {
    /// What all connections of the process know.
    struct State {
        static let intervalMilliseconds: Int64 = 500

        /// Of the search that ended last; nil if it found a primary.
        private var fault: String?
        private var mayBeginAt = Int64.min

        /// Begins a search at a time of a clock that only moves forward, in ms, unless one has to wait.
        ///
        /// - Returns: why it waits; nil if it has begun.
        mutating func begin(at uptime: Int64) -> String? {
            if let fault, uptime < mayBeginAt { return fault }
            mayBeginAt = uptime + Self.intervalMilliseconds
            return nil
        }

        /// A search has ended, with a fault or with a primary.
        mutating func end(_ fault: String?) { self.fault = fault }
    }

    private static let glanceMilliseconds = 50

    private let state = NIOLockedValueBox(State())

    /// Of connections that search at once.
    package init() {}

    /// Waits until a search may begin, in which another one of the process may find the primary.
    func wait(_ pulse: Pulse, until deadline: Deadline) throws(SessionFault) {
        while let why = state.withLockedValue({ $0.begin(at: Deadline.uptime) }) {
            guard !deadline.isOver else { throw .silent(why) }
            try pulse.pause(Self.glanceMilliseconds, until: deadline)
        }
    }

    /// Notes what became of a search.
    func note(_ fault: SessionFault?) { state.withLockedValue { $0.end(fault?.text) } }
}
