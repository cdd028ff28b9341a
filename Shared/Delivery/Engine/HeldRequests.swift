import Contracts
import Database

/// What the operator sees of held events and parked work, and what he may do with them.
enum HeldRequests {
    /// Events, and pieces of work, listed at most.
    private static let listLimit = 1_000

    static let types: Set<String> = [
        HeldEventsListV1.type.rawValue, HeldEventReleaseV1.type.rawValue, HeldEventDeadLetterV1.type.rawValue,
    ]

    static func register(in table: inout HandlerTable) {
        table.on(request: HeldEventsListV1.self) { _, context in
            let held = try HeldStore(connection: context.connection).listed(limit: listLimit)
            let parked = try SuspectStore(connection: context.connection).listed(limit: listLimit)
            return .reply(HeldEventList(events: held + parked))
        }
        table.on(request: HeldEventReleaseV1.self) { event, context in
            guard let batch = context.batch else { return .refused(notFound) }
            return try batch.release(event.data, at: &context.workAt)
        }
        table.on(request: HeldEventDeadLetterV1.self) { event, context in
            let letterID = context.newIdentifier().rawValue
            return try context.batch?.bury(event.data, letterID: letterID) ?? .refused(notFound)
        }
    }

    static let notFound = RequestRefusal(.notFound, "no such held event")
}

extension Batch {
    /// Makes a held event due now, or lets parked work be done again.
    func release(
        _ wish: HeldEventReleaseV1,
        at workAt: inout Timestamp?
    ) throws -> RequestOutcome<HeldEvent> {
        let held = HeldStore(connection: connection)
        if let found = try held.row(ofEvent: wish.eventId) {
            guard try held.first(of: Subject(unchecked: found.row.subject))?.number == found.row.number else {
                let detail = "waits behind an earlier held event of its subject; release or bury that one"
                return .refused(.init(.conflict, detail))
            }
            try held.release(found.row, due: moment.now)
            state.held[Subject(unchecked: found.row.subject)] = moment.now
            try audit(found.event, "released", wish.decidedBy)
            return .reply(found.event)
        }
        let parked = SuspectStore(connection: connection)
        guard let work = try parked.listed(wish.eventId), try parked.release(wish.eventId) else {
            return .refused(HeldRequests.notFound)
        }
        state.parkedWork.remove(wish.eventId)
        workAt = moment.now
        try audit(work, "released", wish.decidedBy)
        return .reply(work)
    }

    /// Moves a held event to the dead letters.
    func bury(_ wish: HeldEventDeadLetterV1, letterID: String) throws -> RequestOutcome<HeldEvent> {
        let held = HeldStore(connection: connection)
        guard let found = try held.row(ofEvent: wish.eventId) else {
            guard try SuspectStore(connection: connection).listed(wish.eventId) != nil else {
                return .refused(HeldRequests.notFound)
            }
            let detail = "outside work has no event to bury; release it once the program is mended"
            return .refused(.init(.conflict, detail))
        }
        try held.release(found.row.number)
        let kept = HeldStore.Kept(
            source: found.row.source,
            eventID: found.event.eventId,
            type: found.event.type ?? "",
            subject: found.row.subject,
            event: found.row.event,
            reason: found.event.reason
        )
        try bury(kept, letterID: letterID, unknownType: false, decidedBy: wish.decidedBy)
        try refreshHeld(Subject(unchecked: found.row.subject))
        return .reply(found.event)
    }

    private func audit(_ event: HeldEvent, _ action: String, _ decidedBy: String) throws {
        try HeldStore(connection: connection).audit(
            event.eventId,
            event.eventId,
            event.type ?? "",
            action: action,
            decidedBy: decidedBy,
            now: moment.now
        )
    }
}
