// Generated from the declarations of contracts by Tests/TidyTests/ContractCode.swift. To write it anew:
// swift -D GENERATE Tests/TidyTests/ContractCode.swift
//
// The compiler makes an initializer of the same members that other modules do not see. The last parameter,
// which no call names, tells the two apart.

extension DeadLetter {
    package init(
        letterId: String,
        from: PartitionAddress? = nil,
        type: String,
        subject: String,
        eventId: String,
        reason: String,
        firstReason: String? = nil,
        attempts: Int = 0,
        time: Timestamp,
        event: String? = nil,
        _: Void = ()
    ) {
        self.letterId = letterId
        self.from = from
        self.type = type
        self.subject = subject
        self.eventId = eventId
        self.reason = reason
        self.firstReason = firstReason
        self.attempts = attempts
        self.time = time
        self.event = event
    }
}

extension DeadLetterDiscardV1 {
    package init(letterId: String, decidedBy: String, _: Void = ()) {
        self.letterId = letterId
        self.decidedBy = decidedBy
    }
}

extension DeadLetterGetV1 {
    package init(letterId: String, _: Void = ()) {
        self.letterId = letterId
    }
}

extension DeadLetterRetryV1 {
    package init(letterId: String, _: Void = ()) {
        self.letterId = letterId
    }
}

extension DeadLettersListV1 {
    package init(_: Void = ()) {
    }
}
