package import Contracts

extension Trace.Entry {
    package init<Body: Contract>(_ message: Event<Body>, at time: Timestamp) {
        self.init(Body.type, at: time, id: message.id, cause: message.causationID)
    }

    package init(_ type: EventType, at time: Timestamp, id: EventID, cause: EventID?) {
        self.init(time: time, type: type.rawValue, id: id.rawValue, causationid: cause?.rawValue)
    }
}
