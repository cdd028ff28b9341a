import Contracts
import Delivery

/// When a step was taken, and because of which message; kept with the row so that a trace can show it.
struct Step {
    let time: Timestamp
    let type: EventType
    let event: EventID
    let cause: EventID?

    /// The step that `message` leads to.
    init<Body: Contract>(_ message: Event<Body>, in context: borrowing HandlerContext) {
        time = context.now
        type = Body.type
        event = message.id
        cause = message.causationID
    }

    /// The step as a trace shows it.
    var entry: Trace.Entry {
        Trace.Entry(time: time, type: type.rawValue, id: event.rawValue, causationid: cause?.rawValue)
    }
}
