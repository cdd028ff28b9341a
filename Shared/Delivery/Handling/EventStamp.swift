package import Contracts

/// The values that an event gets when it is first sent.
package struct EventStamp: Equatable, Sendable {
    package let id: EventID
    package let time: Timestamp
    package let cause: EventID?

    package init(id: EventID, time: Timestamp, cause: EventID?) {
        self.id = id
        self.time = time
        self.cause = cause
    }
}
