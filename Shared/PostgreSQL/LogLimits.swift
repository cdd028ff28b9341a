/// How long the commit log waits, ms.
package struct LogLimits: Hashable, Sendable {
    /// For a connection to the primary, all servers included.
    package var connect = 3_000
    /// For the addresses of each server's name.
    package var lookup = 1_000
    /// For what a server says about itself.
    package var probe = 1_000
    /// For the other servers, once a primary is found: one of a later timeline may be among them.
    ///
    /// A process that knows no timeline yet waits as long as for a connection.
    package var grace = 300
    /// For an append, with its repetitions.
    package var append = 5_000
    /// For each attempt of an append: where nothing is said by then, the server is asked whether it is still at work.
    package var attempt = 2_000
    /// Between two connections of one append: none may stand while a new primary is chosen.
    package var pause = 100
    /// For a renewal: what is acknowledged later is hardly worth anything, and the owner has to find a new primary.
    package var renewal = 1_500
    /// For each statement of anything else.
    package var call = 10_000
    /// For each call, once the process is asked to end; longer than a primary takes that is well.
    package var ending = 500

    /// Between two calls of `LogConnection.whileWaiting`.
    package var pulse = 200

    package init() {}
}
