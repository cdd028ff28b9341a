import Contracts

/// What arrives over links, and its settlement.
extension Batch {
    func attach(_ attach: LinkFrame.Attach, _ connection: [UInt8]) {
        if let astray = attach.astray(at: engine.settings.address) {
            return answerLink(.astray(astray), connection)
        }
        let key = PartitionState.ReceiverKey(from: attach.from, incarnation: attach.incarnation)
        var receiver =
            state.receivers[key] ?? LinkReceiver(from: attach.from, incarnation: attach.incarnation)
        if let former = receiver.session?.link { state.numbers[former] = nil }
        let answer = receiver.attach(
            attach,
            connection: connection,
            number: state.nextNumber,
            epoch: state.epoch,
            credit: credit(for: attach.from),
            replaces: state.hasOther(than: key)
        )
        state.nextNumber += 1
        state.receivers[key] = receiver
        state.numbers[answer.link] = key
        answerLink(.attached(answer), connection)
    }

    func deliver(
        _ bytes: [UInt8],
        _ frame: LinkFrame.Delivery,
        _ connection: [UInt8],
        _ id: FailedItem.ID
    ) throws {
        guard let link = state.numbers[frame.link], var receiver = state.receivers[link] else {
            let (number, epoch) = (frame.link, frame.epoch)
            let refusal = LinkFrame.Refused(link: number, epoch: epoch, last: 0, reason: .unknownLink)
            return answerLink(.refused(refusal), connection)
        }
        let isNext = frame.sequence == receiver.last + 1
        let decoded = isNext ? engine.decoder.decode(bytes) : nil
        let decision = receiver.deliver(
            frame,
            eventID: decoded?.eventID,
            connection: connection,
            epochMatches: frame.epoch == state.epoch
        )
        switch decision {
        case .ignore: return
        case .refuse(let refusal):
            state.receivers[link] = receiver
            answerLink(.refused(refusal), connection)
        case .repeated:
            repeating.insert(link)
        case .apply:
            state.receivers[link] = receiver
            advanced.insert(link)
            advancedEvents += 1
            guard let decoded else { return }
            try apply(decoded, ReceivedEvent(item: id, bytes: bytes, source: link.from))
        }
    }

    func apply(_ decoded: MessageDecoder.Decoded, _ event: ReceivedEvent) throws {
        switch decoded {
        case .unknown(let head):
            let reason = "no handler for type \(head.type ?? "?")"
            try deadLetter(event.failed(head, reason), unknownType: true)
        case .malformed(let head, let reason), .foreign(let head, let reason):
            try deadLetter(event.failed(head, reason))
        case .message(let message):
            if state.delayed[Subject(unchecked: message.subject)] != nil {
                try delay(event.failed(message.head, "waits behind an earlier event of its subject"))
            } else if let failure = failures[event.item] {
                let failed = event.failed(message.head, failure.reason, hasRun: true)
                if failure.isDeadly {
                    try deadLetter(failed, traceparent: message.traceparent)
                } else {
                    try delay(failed)
                }
            } else {
                try handle(message, event)
            }
        }
    }

    private func handle(_ message: any DecodedMessage, _ event: ReceivedEvent) throws {
        record("event", event.bytes)
        switch try run(message, event.item) {
        case .applied: return
        case .deadLettered(let reason):
            let failed = event.failed(message.head, reason, hasRun: true)
            try deadLetter(failed, traceparent: message.traceparent)
        case .reply, .refused, .wait:
            try deadLetter(event.failed(message.head, "a request came as an event"))
        }
    }

    // MARK: Settling

    /// Settles links, but not after every batch: a settlement costs as much as an event, and only a sender with a full
    /// window waits for it.
    func settle() {
        let released = state.braked && !isBraked
        state.braked = isBraked
        if !advanced.isEmpty, state.owedAt == nil {
            state.owedAt = clock.uptime + engine.settings.settleDelayMilliseconds
        }
        state.owed.formUnion(advanced)
        state.owedEvents += advancedEvents
        let isDue =
            state.owedEvents >= PartitionEngine.settleEvents
            || state.owedAt.map { $0 <= clock.uptime } ?? false
        var told = repeating
        if released { told.formUnion(state.receivers.keys) }
        if isDue { told.formUnion(state.owed) }
        for key in told { settle(key) }
        state.owed.subtract(told)
        if state.owed.isEmpty { (state.owedAt, state.owedEvents) = (nil, 0) }
    }

    private func settle(_ key: PartitionState.ReceiverKey) {
        guard let receiver = state.receivers[key], let session = receiver.session,
            let settlement = receiver.settlement(epoch: state.epoch, credit: credit(for: key.from))
        else { return }
        answerLink(.settled(settlement), session.connection)
    }

    private func answerLink(_ frame: LinkFrame, _ connection: [UInt8]) {
        output.settles.append(.init(connection: connection, message: WireMessage(WireHeader(frame))))
    }

    var isBraked: Bool { state.depth >= PartitionEngine.outboxBound }

    /// Links that close a cycle always have credit; others lose it when the outbox is full.
    ///
    /// So does a link from the service to itself: braked by its own rows, it could never drain.
    private func credit(for source: PartitionAddress) -> UInt64 {
        let here = engine.settings.address.service
        let closesCycle = source.service == here || LinkKind.all[source.service]?[here] == .answer
        return closesCycle || !isBraked ? PartitionEngine.creditEvents : 0
    }
}
