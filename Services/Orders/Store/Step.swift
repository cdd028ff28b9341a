import Contracts
import Delivery

/// When a step was taken, and because of which message; kept with the row so that a trace can show it.
struct Step {
    let time: Timestamp
    let event: EventID
    let cause: EventID?

    /// The step that `message` leads to.
    init<Body>(_ message: Event<Body>, in transaction: borrowing Transaction) {
        time = transaction.now
        event = message.id
        cause = message.causationID
    }
}
