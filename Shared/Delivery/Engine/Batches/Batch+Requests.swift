import Contracts

/// Requests, and those that wait.
extension Batch {
    func request(_ request: ReceivedRequest, _ id: FailedItem.ID) throws {
        guard request.to == engine.settings.address else { return output.replies.append(request.astray) }
        let decoded = engine.decoder.decode(request.event)
        if let failure = failures[id] {
            tell(failure, of: decoded)
            return refuse(request, .init(.busy, "the request could not be handled; try again"))
        }
        guard case .message(let message) = decoded, engine.table.requestTypes.contains(message.type) else {
            return refuse(request, engine.refusal(of: decoded))
        }
        if !engine.table.operatorTypes.contains(message.type) {
            guard !isBraked else {
                return refuse(request, .init(.busy, "too much is unsettled; try again"))
            }
            record("request", request.event)
        }
        try answer(request, message, id)
    }

    /// Runs the handler of a request; `deadline` is that of one that has waited.
    private func answer(
        _ request: ReceivedRequest,
        _ message: any DecodedMessage,
        _ id: FailedItem.ID,
        deadline: Int64? = nil
    ) throws {
        switch try run(message, id) {
        case .reply(let reply): output.replies.append(request.reply(reply))
        case .refused(let refusal): refuse(request, refusal)
        case .wait(let key, let until, let otherwise):
            let longest = request.within - PartitionEngine.replyMilliseconds
            let patience = min(until.milliseconds - clock.now.milliseconds, longest)
            let deadline = deadline ?? clock.uptime + max(0, patience)
            wait(.init(request: request, deadline: deadline, otherwise: otherwise), on: key)
        case .applied, .deadLettered: refuse(request, .init(.unknown, "an event came as a request"))
        }
    }

    /// Whoever asks learns no more than that it may be tried again.
    private func tell(_ failure: FailedItem, of decoded: MessageDecoder.Decoded) {
        guard case .message(let message) = decoded else { return }
        state.failedRequests[message.type, default: 0] += 1
        guard let count = state.failedRequests[message.type], RetryPolicy.isTold(count) else { return }
        let text = "\(message.type) fails: \(failure.reason)"
        output.alarms.append(Alarm(.requestFailing, text, traceparent: message.traceparent))
    }

    private func refuse(_ request: ReceivedRequest, _ refusal: RequestRefusal) {
        output.replies.append(request.reply(nil, refused: refusal))
    }

    // MARK: Waits

    private func wait(_ wait: PartitionState.Wait, on key: String) {
        var wait = wait
        var waits = state.waits[key, default: []]
        if let known = waits.firstIndex(where: { $0.request.id == wait.request.id }) {
            // A repeated request is the same request: its deadline does not move.
            wait.deadline = min(wait.deadline, waits[known].deadline)
            waits[known] = wait
        } else if state.waitCount >= PartitionEngine.waitBound {
            return refuse(wait.request, .init(.busy, "too many are waiting; try again"))
        } else {
            waits.append(wait)
            state.waitCount += 1
        }
        state.waits[key] = waits
    }

    /// Runs the waiting handlers again whose key was woken in this batch.
    func wakeWaits() throws {
        for key in context.woken.sorted() {
            guard let waits = state.waits.removeValue(forKey: key) else { continue }
            state.waitCount -= waits.count
            for wait in waits {
                let (request, id) = (wait.request, FailedItem.ID.wait(wait.request.id))
                let decoded = engine.decoder.decode(request.event)
                if failures[id] == nil, case .message(let message) = decoded {
                    try answer(request, message, id, deadline: wait.deadline)
                } else {
                    if let failure = failures[id] { tell(failure, of: decoded) }
                    output.replies.append(request.reply(wait.otherwise))
                }
            }
        }
        context.woken = []
    }

    /// Answers expired requests with what was known when they arrived.
    func expireWaits() {
        for (key, waits) in state.waits where waits.contains(where: { $0.deadline <= clock.uptime }) {
            let due = waits.filter { $0.deadline <= clock.uptime }
            output.replies += due.map { $0.request.reply($0.otherwise) }
            let rest = waits.filter { $0.deadline > clock.uptime }
            state.waits[key] = rest.isEmpty ? nil : rest
            state.waitCount -= due.count
        }
    }
}

extension ReceivedRequest {
    /// The answer of a partition that is not meant.
    var astray: PartitionOutput.Reply {
        let header = WireHeader(reply: .init(id: id, isAstray: true))
        return .init(connection: connection, message: WireMessage(header))
    }

    func reply(_ body: [UInt8]?, refused: RequestRefusal? = nil) -> PartitionOutput.Reply {
        let header = WireHeader(reply: .init(id: id, refused: refused))
        return .init(connection: connection, message: WireMessage(header, body: body.map { [$0] } ?? []))
    }
}

extension PartitionEngine {
    /// Why bytes are no request, for the person who typed them.
    fileprivate func refusal(of decoded: MessageDecoder.Decoded) -> RequestRefusal {
        let service = settings.address.service.rawValue
        switch decoded {
        case .message(let message):
            let detail = "is an event, which travels on links; \(service) takes it on --stdio"
            return .init(.unknown, "\(message.type) \(detail)")
        case .unknown(let head):
            let type = head.type ?? "?"
            let known = table.requests(nearestTo: type).joined(separator: ", ")
            return .init(.unknown, "\(service) knows no request \(type); nearest first, it knows \(known)")
        case .malformed(let head, let reason):
            return .init(.unknown, [head.type, reason].compactMap(\.self).joined(separator: ": "))
        case .foreign(_, let reason): return .init(.misdirected, reason)
        }
    }
}
