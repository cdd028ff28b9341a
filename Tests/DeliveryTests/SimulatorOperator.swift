import TestKit

@testable import Delivery

/// What people and their processes do to the group: ask, take over, kill, restore, repair.
extension Simulation {
    /// The outside asks a partition to send something.
    func order() {
        guard !isCalm else { return }
        plan(in: random.within(4...20)) { $0.order() }
        let link = SimulatedLink.entrances[random.below(SimulatedLink.entrances.count)]
        let message = SimulatedMessage(key: nextKey, hops: random.below(4))
        nextKey += SimulatedMessage.keyStride
        guard let owner = owners[SimulatedLink.all[link].from] else { return }
        counts.events += 1
        enter(.init(link: link, content: .request(message)), owner)
    }

    /// A process takes a partition that nobody owns.
    func takeOver(_ partition: Int) throws(SimulatedCrash) {
        guard owners[partition] == nil else { return }
        let running = hosts.indices.filter { !hosts[$0].isStopped }
        guard !running.isEmpty else { return planTakeover(partition, in: 20) }
        let host = running[random.below(running.count)]
        counts.events += 1
        generation += 1
        stores[partition].epoch += 1
        let owner = newOwner(of: partition, on: host)
        owners[partition] = owner
        note("process \(host) owns \(partition) as \(generation), epoch \(owner.epoch)")
        try reach(.afterTakeover, host)
        for link in SimulatedLink.outgoing[partition] {
            try hear(.start, link, owner)
            if stores[partition].outgoing[link].quarantine != nil { callOperator(link) }
        }
        planRetry(owner)
    }

    /// An owner whose attempts and link numbers repeat none, not even of an epoch that a restored backup undid.
    private func newOwner(of partition: Int, on host: Int) -> SimulatedOwner {
        let epoch = stores[partition].epoch
        let isRepeated = epoch <= highestEpochs[partition] && variant != .repeatsLinkNumbers
        highestEpochs[partition] = max(epoch, highestEpochs[partition])
        return SimulatedOwner(
            partition: partition,
            host: host,
            generation: generation,
            life: isRepeated ? UInt64(1_000_000 + generation) : epoch,
            firstNumber: isRepeated ? freshNumbers[partition][epoch] ?? 1 : 1,
            store: stores[partition]
        )
    }

    // MARK: Faults

    func fault() {
        guard !isCalm else { return }
        plan(in: random.within(10...rates.longestPause)) { $0.fault() }
        counts.events += 1
        let partition = random.below(stores.count)
        let host = random.below(hosts.count)
        switch drawFault() {
        case .restore:
            if !backups[partition].isEmpty, happens(.restore, perMille: 1_000) { restore(partition) }
        case .kill: if happens(.kill, perMille: 1_000) { kill(host) }
        case .stop: if happens(.stop, perMille: 1_000) { stop(host) }
        case .handover:
            if owners[partition] != nil, happens(.handover, perMille: 1_000) { release(partition) }
        case .reconnect:
            if happens(.reconnect, perMille: 1_000) { hosts[host].reconnects[partition] += 1 }
            hint(partition, host)
        case .starvation: if happens(.starvation, perMille: 1_000) { starve(partition) }
        default: back(up: partition)
        }
    }

    /// One of the faults that people and machines make, by their shares; nil for a backup.
    private func drawFault() -> SimulatedFault? {
        let shares: [(SimulatedFault, Int)] = [
            (.restore, rates.restore), (.kill, rates.kill), (.stop, rates.stop),
            (.handover, rates.handover),
            (.reconnect, rates.reconnect), (.starvation, rates.starvation),
        ]
        var drawn = random.below(shares.reduce(rates.backup) { $0 + $1.1 })
        for (fault, share) in shares {
            if drawn < share { return fault }
            drawn -= share
        }
        return nil
    }

    private func back(up partition: Int) {
        backups[partition].append(stores[partition])
        if backups[partition].count > 3 { backups[partition].removeFirst() }
    }

    /// A store is replaced by an older copy; whoever owned it is dead.
    private func restore(_ partition: Int) {
        if let owner = owners[partition] { kill(owner.host) }
        stores[partition] = backups[partition][random.below(backups[partition].count)]
        note("partition \(partition) is restored to epoch \(stores[partition].epoch)")
        acknowledged[partition] = []
        let links = SimulatedLink.all.indices.filter {
            SimulatedLink.all[$0].from == partition || SimulatedLink.all[$0].to == partition
        }
        doubtful.formUnion(links)
        restored.insert(partition)
    }

    private func stop(_ host: Int) {
        hosts[host].isStopped = true
        plan(in: random.within(10...400)) { $0.hosts[host].isStopped = false }
    }

    private func starve(_ partition: Int) {
        starving.insert(partition)
        plan(in: random.within(20...400)) { $0.feed(partition) }
    }

    /// Sometimes the wire says that it was made anew.
    private func hint(_ partition: Int, _ host: Int) {
        for link in SimulatedLink.all.indices where SimulatedLink.all[link].to == partition {
            guard let owner = owners[SimulatedLink.all[link].from], owner.host == host else { continue }
            guard !hosts[host].isStopped, random.happens(perMille: 300) else { continue }
            do {
                try hear(.connected, link, owner)
            } catch {
                kill(error.host)
            }
        }
    }

    // MARK: Quarantined links

    func quarantine(
        _ link: Int,
        _ reason: LinkSender.Quarantine,
        _ owner: SimulatedOwner
    ) throws(SimulatedCrash) {
        counts.count(reason)
        if !doubtful.contains(link) {
            violate(.oneHistory, "link \(link) raised a false alarm: \(reason)")
        }
        if owner.senders[link]?.quarantine != reason {
            violate(.keepsToTheProtocol, "link \(link) forgot its quarantine")
        }
        try reach(.beforeQuarantine, owner.host)
        stores[owner.partition].outgoing[link].quarantine = reason
        callOperator(link)
        try reach(.afterQuarantine, owner.host)
    }

    private func callOperator(_ link: Int) {
        let delay = random.within(1...rates.longestRepair)
        plan(in: delay) { simulation throws(SimulatedCrash) in try simulation.operate(link) }
    }

    func operate(_ link: Int) throws(SimulatedCrash) {
        let partition = SimulatedLink.all[link].from
        guard stores[partition].outgoing[link].quarantine != nil, let owner = owners[partition] else {
            return
        }
        guard !hosts[owner.host].isStopped else { return callOperator(link) }
        counts.events += 1
        try redrive(link, owner)
    }

    /// The two stores contradict each other: a new incarnation sends every state again.
    private func redrive(_ link: Int, _ owner: SimulatedOwner) throws(SimulatedCrash) {
        try reach(.beforeRedrive, owner.host)
        incarnation += 1
        stores[owner.partition].outgoing[link].redrive(incarnation: "i\(incarnation)", event: &event)
        owner.forgettable[link] = 0
        doubtful.remove(link)
        note("link \(link) is redriven as i\(incarnation)")
        try reach(.afterRedrive, owner.host)
        let next = stores[owner.partition].outgoing[link].next
        try hear(.resumed(incarnation: "i\(incarnation)", settled: 0, next: next), link, owner)
    }
}
