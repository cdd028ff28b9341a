/// Which history of which database a commit log is in, as its servers tell.
package struct LogLineage: Hashable, Sendable {
    /// The database; another number is another log.
    package let system: Int64
    /// Rises when a standby takes over: what is written in a lower one is no part of the log any more.
    package let timeline: Int64

    package init(system: Int64, timeline: Int64) {
        self.system = system
        self.timeline = timeline
    }
}
