import Contracts
import Database
import DeliveryCore

/// Sends every current state again, page by page; requests and heartbeats are answered in between.
extension PartitionEngine {
    /// Unsettled events above which the next page waits, so that a redrive never fills the outbox.
    static let redriveDepth: UInt64 = 4_096

    /// Sends the next page of one redrive, if any is due.
    ///
    /// - Throws: `StoreError`.
    package func redrive(at moment: Moment) throws -> PartitionOutput {
        guard let target = dueRedrive else { return PartitionOutput() }
        guard state.isAfterDeath else { return try redrivePage(to: target, suspect: nil, at: moment) }
        let name = "redrive \(target)"
        return try alone(name) { isDeadly in
            guard isDeadly else { return try redrivePage(to: target, suspect: name, at: moment) }
            return try failRedrive(to: target, Batch.deadlyReason, suspect: name, at: moment)
        }
    }

    private func redrivePage(
        to target: PartitionAddress,
        suspect: String?,
        at moment: Moment
    ) throws -> PartitionOutput {
        do {
            return try adopt(
                smallBatch(suspect: suspect, at: moment) { try $0.redrivePage(to: target) }
            )
        } catch let fault as StoreError where fault.isTransient {
            throw fault
        } catch {
            return try failRedrive(to: target, String(describing: error), suspect: suspect, at: moment)
        }
    }

    private func failRedrive(
        to target: PartitionAddress,
        _ reason: String,
        suspect: String?,
        at moment: Moment
    ) throws -> PartitionOutput {
        try adopt(
            smallBatch(suspect: suspect, at: moment) { try $0.failRedrive(to: target, reason) }
        )
    }

    /// The receiver whose redrive can send a page now.
    var dueRedrive: PartitionAddress? {
        guard !state.redrives.isEmpty, state.depth < Self.outboxBound / 2 else { return nil }
        return state.redrives.keys.sorted().first { target in
            guard let machine = state.senders[target]?.machine, machine.quarantine == nil else {
                return false
            }
            return state.redrives[target]?.isUnderWay == true && machine.depth <= Self.redriveDepth
        }
    }

    func loadRedrives(
        _ senders: [PartitionAddress: PartitionState.Sender],
        _ connection: any Connection
    ) throws -> [PartitionAddress: RedriveStore.Redrive] {
        var redrives: [PartitionAddress: RedriveStore.Redrive] = [:]
        for redrive in try RedriveStore(connection: connection).redrives() {
            guard let target = senders.first(where: { $0.value.link == redrive.link })?.key else { continue }
            redrives[target] = redrive
        }
        return redrives
    }
}

extension Batch {
    /// Records a redrive; the pages follow, each in its own transaction.
    func beginRedrive(to target: PartitionAddress, requestID: EventID) throws {
        guard let sender = state.senders[target] else { return }
        let redrive = RedriveStore.Redrive(
            link: sender.link,
            requestID: requestID,
            startedAt: moment.now
        )
        try RedriveStore(connection: connection).begin(redrive)
        state.redrives[target] = redrive
    }

    func redrivePage(to target: PartitionAddress) throws {
        guard let former = state.redrives[target] else { return }
        isWriting = true
        context.cause = former.requestID
        let page = try engine.service.redrive(to: target, after: former.key, in: &context)
        var redrive = former
        redrive.rows += page.rows
        if page.next.isEmpty { redrive.finishedAt = moment.now } else { redrive.key = page.next }
        try RedriveStore(connection: connection).advance(redrive, from: former)
        state.redrives[target] = redrive
    }

    func failRedrive(to target: PartitionAddress, _ reason: String) throws {
        guard let former = state.redrives[target] else { return }
        var redrive = former
        redrive.failure = reason
        try RedriveStore(connection: connection).advance(redrive, from: former)
        state.redrives[target] = redrive
        output.alarms.append("the redrive \(engine.settings.address) → \(target) has stopped: \(reason)")
    }
}
