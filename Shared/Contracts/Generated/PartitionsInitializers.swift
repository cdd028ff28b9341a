// Generated from the declarations of contracts by Tests/TidyTests/ContractCode.swift. To write it anew:
// swift -D GENERATE Tests/TidyTests/ContractCode.swift
//
// The compiler makes an initializer of the same members that other modules do not see. The last parameter,
// which no call names, tells the two apart.

extension LinkResumeV1 {
    package init(to: PartitionAddress, redrive: Bool, _: Void = ()) {
        self.to = to
        self.redrive = redrive
    }
}

extension LinkStatus {
    package init(
        from: PartitionAddress,
        to: PartitionAddress,
        incarnation: String,
        next: Int64,
        settled: Int64,
        attached: Bool,
        quarantine: String?,
        unansweredMs: Int64? = nil,
        redrive: RedriveStatus?,
        _: Void = ()
    ) {
        self.from = from
        self.to = to
        self.incarnation = incarnation
        self.next = next
        self.settled = settled
        self.attached = attached
        self.quarantine = quarantine
        self.unansweredMs = unansweredMs
        self.redrive = redrive
    }
}

extension LinksListV1 {
    package init(_: Void = ()) {
    }
}

extension PartitionStatus {
    package init(
        service: ServiceName,
        partition: Int,
        pid: Int32,
        replica: Int,
        epoch: Int64,
        outbox: Int,
        oldestUnsettledMs: Int64,
        delayed: Int,
        parkedWork: Int,
        deadLetters: Int,
        quarantinedLinks: Int,
        unansweredLinks: [PartitionAddress] = [],
        gauges: [String: Double],
        counters: [String: Int] = [:],
        messages: [String: Int] = [:],
        messageMicroseconds: [String: Int] = [:],
        alarms: [String: Int] = [:],
        configuration: String = "",
        logPosition: Int64?,
        _: Void = ()
    ) {
        self.service = service
        self.partition = partition
        self.pid = pid
        self.replica = replica
        self.epoch = epoch
        self.outbox = outbox
        self.oldestUnsettledMs = oldestUnsettledMs
        self.delayed = delayed
        self.parkedWork = parkedWork
        self.deadLetters = deadLetters
        self.quarantinedLinks = quarantinedLinks
        self.unansweredLinks = unansweredLinks
        self.gauges = gauges
        self.counters = counters
        self.messages = messages
        self.messageMicroseconds = messageMicroseconds
        self.alarms = alarms
        self.configuration = configuration
        self.logPosition = logPosition
    }
}

extension PartitionStatusV1 {
    package init(_: Void = ()) {
    }
}

extension RedriveStatus {
    package init(
        from: PartitionAddress,
        to: PartitionAddress,
        rows: Int,
        startedAt: Timestamp,
        finishedAt: Timestamp? = nil,
        failure: String? = nil,
        _: Void = ()
    ) {
        self.from = from
        self.to = to
        self.rows = rows
        self.startedAt = startedAt
        self.finishedAt = finishedAt
        self.failure = failure
    }
}

extension StoreCopy {
    package init(
        copyId: String,
        state: State = .copying,
        finishedAt: Timestamp? = nil,
        failure: String? = nil,
        _: Void = ()
    ) {
        self.copyId = copyId
        self.state = state
        self.finishedAt = finishedAt
        self.failure = failure
    }
}

extension StoreCopyV1 {
    package init(copyId: String, _: Void = ()) {
        self.copyId = copyId
    }
}
