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

    static func text(of released: Int) -> String {
        released == 0
            ? "nothing is delayed"
            : "\(released) tried again, and what waits behind them follows; see `counterfoil delayed list`"
    }
}
