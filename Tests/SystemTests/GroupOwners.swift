import Contracts
import Database
import TestKit

@testable import Delivery

/// The owners of partitions: what they take, what they say, how they die.
extension GroupSimulation {
    /// When the owner crashes in one batch.
    private enum CrashTime { case nothing, crashBeforeCommit, crashAfterCommit, crashAmidOutputs }

    func wake(_ address: PartitionAddress, after delay: Int64) {
        guard let partition = partitions[address], now + delay < partition.wakeAt ?? .max else { return }
        partition.wakeAt = now + delay
        schedule(after: delay, isTimer: true) { $0.wake(address) }
    }

    private func wake(_ address: PartitionAddress) {
        guard let partition = partitions[address], let wakeAt = partition.wakeAt, wakeAt <= now else {
            return
        }
        partition.wakeAt = nil
        guard let engine = partition.engine else { return }
        runBatch(of: partition, engine)
        let moment = moment(of: partition)
        guard let engine = partition.engine, let deadline = engine.nextDeadline(at: moment) else { return }
        wake(address, after: max(1, deadline - moment.uptime))
    }

    // MARK: One batch

    private func runBatch(of partition: GroupPartition, _ engine: PartitionEngine) {
        var inputs = partition.inbox
        let statements = partition.statements
        partition.inbox = []
        inputs = dropCommittedAnswers(in: inputs)
        inputs += statements.map { .direct(statementBytes($0)) }
        let moment = moment(of: partition)
        if let deadline = engine.nextDeadline(at: moment), deadline <= moment.uptime { inputs.append(.tick) }
        let crashTime = inputs.isEmpty ? .nothing : chooseFaults(partition)
        do {
            var output = PartitionOutput()
            if !inputs.isEmpty { output = try engine.handle(inputs, at: moment) }
            partition.statements.removeFirst(statements.count)
            counts.events += inputs.count
            try forgetParts(of: partition)
            if partition.address.service == .entitlements {
                try checkLedger(partition.store)
                try checkPossessedOnce()
            }
            try end(crashTime, of: partition, output)
            if partition.engine != nil { emit(try engine.retryDelayed(at: moment), from: partition) }
            if partition.engine != nil { emit(try engine.redrive(at: moment), from: partition) }
        } catch StoreError.full {
            refuse(inputs, from: partition)
        } catch is GroupCrash {
            crash(partition)
        } catch {
            fail("\(partition.address) failed: \(error)", .durability)
        }
    }

    private func end(_ crashTime: CrashTime, of partition: GroupPartition, _ output: PartitionOutput) throws {
        switch crashTime {
        case .nothing: emit(output, from: partition)
        case .crashBeforeCommit:
            // The fault may not have come up: then the batch stands.
            emit(output, from: partition)
            if variant == .speaksBeforeCommit, partition.store.storeFault == nil { crash(partition) }
            partition.store.storeFault = nil
        case .crashAfterCommit: crash(partition)
        case .crashAmidOutputs:
            emit(output, from: partition, cut: true)
            crash(partition)
        }
    }

    private func chooseFaults(_ partition: GroupPartition) -> CrashTime {
        guard hasFaults else { return .nothing }
        if partition.fullUntil <= now { partition.store.fullDisk = nil }
        if random.happens(perMille: 3) {
            fault(.fullDisk)
            partition.store.fullDisk = random.pick(GroupStore.FullDisk.allCases)
            partition.fullUntil = now + random.within(50...1_200)
        }
        if random.happens(perMille: 12) { partition.store.storeFault = (.failure, 0) }
        if variant == .losesCommits, random.happens(perMille: 20) { partition.store.storeFault = (.lie, 0) }
        if variant == .commitsWithoutEntry, random.happens(perMille: 20) {
            partition.store.storeFault = (.unlogged, 0)
        }
        if random.happens(perMille: 3) {
            fault(.starvation)
            partition.withholdsCreditUntil = now + random.within(100...1_500)
        }
        guard partition.crashes < GroupPartition.crashBound else { return .nothing }
        return chooseCrash(partition)
    }

    private func chooseCrash(_ partition: GroupPartition) -> CrashTime {
        if random.happens(perMille: 10) {
            fault(.crashBeforeCommit)
            partition.store.storeFault = (variant == .speaksBeforeCommit ? .lie : .crash, random.below(3))
            return .crashBeforeCommit
        }
        if random.happens(perMille: 10) {
            fault(.crashAfterCommit)
            return .crashAfterCommit
        }
        guard random.happens(perMille: 10) else { return .nothing }
        fault(.crashAmidOutputs)
        return .crashAmidOutputs
    }

    /// Nothing was accepted: those who asked may try again, links repeat by themselves.
    private func refuse(_ inputs: [PartitionInput], from partition: GroupPartition) {
        if partition.fullUntil <= now { partition.store.fullDisk = nil }
        let refusal = RequestRefusal(.busy, "the store cannot write now; try again")
        for case .request(let request) in inputs {
            send(.reply(WireMessage(WireHeader(reply: .init(id: request.id, refused: refusal)))))
        }
        // Nobody would repeat the results of outside work.
        for case .worked(let item, let result) in inputs {
            partition.inbox.append(.worked(item, result: result))
        }
        wake(partition.address, after: 100)
    }

    // MARK: Owners

    func takeOver(_ address: PartitionAddress) {
        guard let partition = partitions[address], partition.engine == nil, !partition.isLost else { return }
        do {
            // A fault that was to meet the former owner and did not come to it.
            (partition.store.fullDisk, partition.store.storeFault) = (nil, nil)
            let salt = UInt64(bitPattern: Int64(seed)) << 44
            let moment = moment(of: partition)
            emit(try partition.takeOver(services, seed: salt, at: moment), from: partition)
            log("\(address) has owner \(partition.generation)")
        } catch {
            return fail("\(address) could not be taken: \(error)")
        }
        for peer in addresses where peer != address && random.flip() {
            send(.connected(address, to: peer))
        }
        wake(address, after: 1)
    }

    private func crash(_ partition: GroupPartition) {
        log("\(partition.address) crashes")
        partition.crashes += 1
        partition.engine = nil
        partition.store.storeFault = nil
        partition.dropWorkResults()
        if random.flip() { partition.inbox = [] } else if !partition.inbox.isEmpty { fault(.oldFrame) }
        let address = partition.address
        schedule(after: random.within(5...600)) { $0.takeOver(address) }
    }

    func handOver(_ partition: GroupPartition) {
        guard let engine = partition.engine else { return }
        do {
            try engine.leave()
            partition.engine = nil
            partition.dropWorkResults()
            takeOver(partition.address)
        } catch StoreError.full {
            log("\(partition.address) cannot leave")
        } catch is GroupCrash {
            crash(partition)
        } catch {
            fail("\(partition.address) could not be left: \(error)", .durability)
        }
    }

    func takeNewCatalog(_ address: PartitionAddress) {
        guard let partition = partitions[address] else { return }
        if hasFaults { fault(.newCatalog) }
        services.hasLaterCatalog = true
        handOver(partition)
    }

    // MARK: Output

    func emit(_ output: PartitionOutput, from partition: GroupPartition, cut: Bool = false) {
        var packets = self.packets(output.replies, from: partition)
        packets += self.packets(output.settles, from: partition)
        packets += output.linkMessages.enumerated()
            .sorted { ($0.element.to, $0.offset) < ($1.element.to, $1.offset) }
            .map { _, linkMessage in
                .message(
                    linkMessage.message,
                    to: linkMessage.to,
                    from: partition.address,
                    connection: connection(from: partition.address, to: linkMessage.to)
                )
            }
        let alarms = output.alarms.map(\.text).filter { !isExpected($0) }
        if !alarms.isEmpty { fail("\(partition.address) alarms: \(alarms)", law(of: alarms)) }
        for kept in output.refusals where kept.code == .delayed && kept.detail.contains(GroupStore.fault) {
            fault(.handlerFailure)
        }
        noteHoldings(output.linkMessages.map(\.message), from: partition)
        for packet in cut ? Array(packets.prefix(random.below(packets.count + 1))) : packets {
            let packet = tampered(packet)
            if case .reply(let message) = packet { checkReply(message) }
            send(packet)
        }
        if !cut { start(output.work, of: partition) }
    }

    /// The law of whose breach alarms speak that nobody expects.
    private func law(of alarms: [String]) -> GroupLaw {
        if alarms.contains(where: { $0.contains("heldByAnother") }) { return .rightBuyer }
        if alarms.contains(where: { $0.hasPrefix("dead letter") }) { return .nothingLost }
        return alarms.contains { $0.contains("is quarantined") } ? .durability : .agreement
    }

    private func packets(_ messages: [PartitionOutput.Reply], from partition: GroupPartition) -> [GroupPacket]
    {
        messages.enumerated()
            .sorted { left, right in
                let (one, other) = (left.element, right.element)
                return (one.connection.description, one.message.header.reply?.id ?? "", left.offset)
                    < (other.connection.description, other.message.header.reply?.id ?? "", right.offset)
            }
            .compactMap { _, reply in packet(reply, from: partition) }
    }

    private func packet(_ reply: PartitionOutput.Reply, from partition: GroupPartition) -> GroupPacket? {
        guard let peer = connections[reply.connection] else { return .reply(reply.message) }
        let isStale = reply.connection != connection(from: peer, to: partition.address)
        if isStale, random.flip() { return nil }
        var header = reply.message.header
        let isForward = LinkKind.all[peer.service]?[partition.address.service] == .forward
        if isForward, partition.withholdsCreditUntil > now {
            header.attached?.credit = 0
            header.settled?.credit = 0
        }
        return .answer(header, to: peer, by: partition.address)
    }

    /// The name of the wire between two partitions; a new one whenever either has a new owner.
    func connection(from: PartitionAddress, to: PartitionAddress) -> [UInt8] {
        let wire = "\(from)\(to)"
        let lives = "\(partitions[from]?.generation ?? 0).\(partitions[to]?.generation ?? 0)"
        let name = Array("\(wire) \(lives).\(reconnects[wire] ?? 0)".utf8)
        connections[name] = from
        return name
    }
}
