// Generated from the declarations of contracts by Tests/TidyTests/ContractCode.swift. To write it anew:
// swift -D GENERATE Tests/TidyTests/ContractCode.swift
//
// The compiler makes an initializer of the same members that other modules do not see. The last parameter,
// which no call names, tells the two apart.

extension DelayedEvent {
    package init(
        eventId: String,
        kind: Kind,
        from: PartitionAddress? = nil,
        type: String? = nil,
        subject: String? = nil,
        reason: String,
        firstReason: String? = nil,
        attempts: Int? = nil,
        due: Timestamp? = nil,
        time: Timestamp,
        _: Void = ()
    ) {
        self.eventId = eventId
        self.kind = kind
        self.from = from
        self.type = type
        self.subject = subject
        self.reason = reason
        self.firstReason = firstReason
        self.attempts = attempts
        self.due = due
        self.time = time
    }
}

extension DelayedEventDeadLetterV1 {
    package init(eventId: String, decidedBy: String, _: Void = ()) {
        self.eventId = eventId
        self.decidedBy = decidedBy
    }
}

extension DelayedEventReleaseV1 {
    package init(eventId: String, decidedBy: String, _: Void = ()) {
        self.eventId = eventId
        self.decidedBy = decidedBy
    }
}

extension DelayedEventsListV1 {
    package init(_: Void = ()) {
    }
}
