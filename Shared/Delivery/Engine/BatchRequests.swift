import Contracts
import Database
import Domain

extension Batch {
    func request(
        _ request: WireHeader.Request,
        _ bytes: [UInt8],
        _ connection: [UInt8],
        poison: String?,
        key: PoisonKey
    ) throws {
        if poison != nil {
            return answer(
                request.id,
                connection,
                refusal: .init(.busy, "the request could not be handled; try again")
            )
        }
        let decoded = engine.decoder.decode(bytes)
        guard case .message(let message, let type) = decoded, engine.table.requestTypes.contains(type) else {
            return answer(request.id, connection, refusal: engine.refusal(of: decoded))
        }
        if isOverloaded, !engine.table.operatorTypes.contains(type) {
            return answer(request.id, connection, refusal: .init(.busy, "too much is unsettled; try again"))
        }
        if !engine.table.operatorTypes.contains(type) { record("request", bytes) }
        switch try run(message, key: key) {
        case .reply(let reply): answer(request.id, connection, reply: reply)
        case .refused(let refusal): answer(request.id, connection, refusal: refusal)
        case .wait(let on, let until, let otherwise):
            let patience = max(
                0,
                min(
                    until.milliseconds - moment.now.milliseconds,
                    request.within - PartitionEngine.replyMilliseconds
                )
            )
            wait(
                .init(
                    connection: connection,
                    requestID: request.id,
                    event: bytes,
                    deadline: moment.uptime + patience,
                    otherwise: otherwise
                ),
                on: on
            )
        case .applied, .parked:
            answer(request.id, connection, refusal: .init(.unknown, "an event came as a request"))
        }
    }

    private var isOverloaded: Bool { state.depth >= PartitionEngine.outboxBound }

    private func wait(_ wait: PartitionState.Wait, on key: String) {
        var wait = wait
        var waits = state.waits[key, default: []]
        if let known = waits.firstIndex(where: { $0.requestID == wait.requestID }) {
            // A repeated request is the same request: its deadline does not move.
            wait.deadline = min(wait.deadline, waits[known].deadline)
            waits[known] = wait
        } else if state.waitCount >= PartitionEngine.waitBound {
            return answer(
                wait.requestID,
                wait.connection,
                refusal: .init(.busy, "too many are waiting; try again")
            )
        } else {
            waits.append(wait)
            state.waitCount += 1
        }
        state.waits[key] = waits
    }

    func answer(_ identifier: String, _ connection: [UInt8], reply: [UInt8]) {
        let header = WireHeader(reply: .init(id: identifier))
        output.replies.append(.init(connection: connection, message: WireMessage(header, body: [reply])))
    }

    func answer(_ identifier: String, _ connection: [UInt8], refusal: RequestRefusal) {
        let header = WireHeader(reply: .init(id: identifier, refused: refusal))
        output.replies.append(.init(connection: connection, message: WireMessage(header)))
    }

    /// Runs the waiting handlers again whose key was woken in this batch.
    func wakeWaits() throws {
        for key in context.woken.sorted() {
            guard let waits = state.waits.removeValue(forKey: key) else { continue }
            state.waitCount -= waits.count
            for wait in waits { try ask(wait, on: key) }
        }
        context.woken = []
    }

    private func ask(_ waiting: PartitionState.Wait, on key: String) throws {
        let poison = PoisonKey.wait(waiting.requestID)
        guard poisoned[poison] == nil, case .message(let message, _) = engine.decoder.decode(waiting.event)
        else {
            return answer(waiting.requestID, waiting.connection, reply: waiting.otherwise)
        }
        switch try run(message, key: poison) {
        case .reply(let reply): answer(waiting.requestID, waiting.connection, reply: reply)
        case .refused(let refusal): answer(waiting.requestID, waiting.connection, refusal: refusal)
        case .wait(let on, _, let otherwise):
            wait(
                .init(
                    connection: waiting.connection,
                    requestID: waiting.requestID,
                    event: waiting.event,
                    deadline: waiting.deadline,
                    otherwise: otherwise
                ),
                on: on
            )
        case .applied, .parked: return
        }
    }

    /// Answers expired requests with what was known when they arrived.
    func expireWaits() {
        for (key, waits) in state.waits where waits.contains(where: { $0.deadline <= moment.uptime }) {
            let due = waits.filter { $0.deadline <= moment.uptime }
            for wait in due { answer(wait.requestID, wait.connection, reply: wait.otherwise) }
            let rest = waits.filter { $0.deadline > moment.uptime }
            state.waits[key] = rest.isEmpty ? nil : rest
            state.waitCount -= due.count
        }
    }

    // MARK: Outside work

    func worked(_ item: WorkItem, _ result: [UInt8], poison: String?, key: PoisonKey) throws {
        state.workInHand.remove(item.key)
        state.workAt = moment.now
        guard let worker = engine.service.worker else { return }
        if poison == Self.deadlyReason { return try park(item) }
        if poison != nil {
            state.workAt = moment.now.advanced(by: RetryPolicy.backoff.longest)
            return
        }
        context.cause = nil
        do {
            try worker.finish(item, result: result, in: &context)
        } catch let fault as StoreError where fault.isTransient {
            throw fault
        } catch {
            throw HandlerFault(key: key, reason: String(describing: error))
        }
    }

    func startWork() throws {
        guard let worker = engine.service.worker else { return }
        if let scheduled = context.workAt { state.workAt = min(state.workAt ?? scheduled, scheduled) }
        guard let workAt = state.workAt, workAt <= moment.now else { return }
        let room = worker.concurrency - state.workInHand.count
        guard room > 0 else { return }
        let (items, next): ([WorkItem], Timestamp?)
        do {
            (items, next) = try worker.due(
                connection,
                of: engine.settings.address,
                now: moment.now,
                limit: room,
                excluding: state.workInHand.union(state.parkedWork)
            )
        } catch let fault as StoreError where fault.isTransient {
            throw fault
        } catch {
            // A row that cannot be read must not end every owner of the partition in turn.
            output.alarms.append("no outside work is begun: \(error)")
            state.workAt = moment.now.advanced(by: RetryPolicy.backoff.longest)
            return
        }
        state.workInHand.formUnion(items.map(\.key))
        output.work += items
        state.workAt = items.count == room ? moment.now : next
    }
}

extension PartitionEngine {
    /// Why bytes are no request, for the person who typed them.
    fileprivate func refusal(of decoded: MessageDecoder.Decoded) -> RequestRefusal {
        let service = settings.address.service.rawValue
        switch decoded {
        case .message(_, let type):
            return .init(
                .unknown,
                "\(type) is an event, which travels on links; \(service) takes it on --stdio"
            )
        case .unknown(let head):
            let type = head.type ?? "?"
            let known = table.requests(nearestTo: type).joined(separator: ", ")
            return .init(.unknown, "\(service) knows no request \(type); nearest first, it knows \(known)")
        case .malformed(let head, let reason):
            return .init(.unknown, [head?.type, reason].compactMap(\.self).joined(separator: ": "))
        case .foreign(_, let reason): return .init(.misdirected, reason)
        }
    }
}
