/// How long the commit log waits, ms.
package struct LogLimits: Hashable, Sendable {
    /// For a connection to the primary, all servers included.
    package var connect = 3_000
    /// For what a server says about itself.
    package var probe = 1_000
    /// For the other servers, once a primary is found: one of a later timeline may be among them.
    package var grace = 300
    /// For an append, with its repetitions.
    package var append = 5_000
    /// For each attempt of an append: where it says nothing, another connection is tried.
    package var attempt = 2_000
    /// Between two connections of one append: none may stand while a new primary is chosen.
    package var pause = 100
    /// For each statement of anything else.
    package var call = 10_000

    package init() {}
}
