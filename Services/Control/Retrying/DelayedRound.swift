import Contracts
import Delivery

/// Has delayed events and parked work of all partitions tried again.
///
/// An event behind another one of its subject follows by itself once that one has passed.
struct DelayedRound {
    let group: any PartitionClient
    let decidedBy: String
    /// Of which type the events are; nil of any, and of work.
    var type: String?

    func carryOut() async throws -> OldestFirst<DelayedEventsListV1, DelayedEvent>.Report {
        try await OldestFirst(group: group, list: DelayedEventsListV1()) { ($0.time, $0.eventId) }
            .carryOut(where: { type == nil || $0.type == type }) {
                DelayedEventReleaseV1(eventId: $0.eventId, decidedBy: decidedBy)
            }
    }

    static func text(of report: OldestFirst<DelayedEventsListV1, DelayedEvent>.Report) -> String {
        let (released, passed) = (report.decided, report.passed)
        guard released > 0 || passed > 0 else { return "nothing is delayed" }
        let rest =
            switch (released, passed) {
            case (0, _): "\(passed) wait behind others"
            case (_, 0): "what waits behind them follows"
            case _: "\(passed) wait behind others, and follow"
            }
        return "\(released) tried again, \(rest); see `counterfoil delayed list`"
    }
}
