import TestKit

@testable import Delivery

/// A group of three partitions on two processes, joined by links over a bad network: one seed, one life of it.
///
/// Everything that happens follows from the seed. While faults last, processes die, stores are restored from backups
/// and frames get lost; then they stop, the group must come to rest, and law 1 must hold (see `SimulatorLaw`).
final class Simulation: SeededSimulation {
    static let hosts = 2
    /// Faults last for so many events at least, and until there were so many faults.
    static let leastEvents = 400
    static let leastFaults = 10
    /// Without faults, the group must come to rest within so many events.
    static let mostCalmEvents = 6_000
    /// So long after the faults, in ms, no link may be in doubt: each has attached again.
    static let calmMilliseconds = Int(LinkSender.idleMilliseconds) + 10_000

    let variant: SimulatedVariant
    let rates: SimulatorFaultRates
    var random: SeededRandom
    var now = 0
    private var queue = SimulationQueue<SimulatedAction>()
    var counts = SimulatorCounts()
    /// Faults have stopped.
    var isCalm = false
    var stores = [SimulatedStore](repeating: .init(), count: SimulatedLink.addresses.count)
    var owners = [SimulatedOwner?](repeating: nil, count: SimulatedLink.addresses.count)
    var hosts = [SimulatedHost](repeating: .init(), count: Simulation.hosts)
    var backups = [[SimulatedStore]](repeating: [], count: SimulatedLink.addresses.count)
    var highestEpochs = [UInt64](repeating: 0, count: SimulatedLink.addresses.count)
    /// By partition and epoch, the link number that no owner of that epoch has given away yet.
    var freshNumbers = [[UInt64: UInt64]](repeating: [:], count: SimulatedLink.addresses.count)
    var generation = 0
    var event = 0
    var incarnation = 0
    var nextKey = SimulatedMessage.keyStride
    /// Partitions whose forward links get no credit.
    var starving: Set<Int> = []
    /// Links of which one end was restored and not yet redriven: only these may contradict each other.
    var doubtful: Set<Int> = []
    /// Partitions that were restored at some time.
    var restored: Set<Int> = []
    /// Keys of which the outside was told that they are kept, by partition.
    var acknowledged = [Set<Int>](repeating: [], count: SimulatedLink.addresses.count)
    private(set) var violation: SimulatedViolation?
    private(set) var transcript: [String] = []
    private let isRecorded: Bool

    init(
        seed: Int,
        variant: SimulatedVariant = .faithful,
        rates: SimulatorFaultRates? = nil,
        isRecorded: Bool = false
    ) {
        self.variant = variant
        self.isRecorded = isRecorded
        var random = SeededRandom(seed: seed)
        self.rates = rates ?? SimulatorFaultRates(&random)
        self.random = random
    }

    /// Lives the whole life.
    ///
    /// - Returns: how law 1 was broken; nil when it held.
    func run() -> SimulatedViolation? {
        for partition in stores.indices { planTakeover(partition, in: partition) }
        plan(in: 5) { $0.order() }
        plan(in: 30) { $0.fault() }
        while violation == nil, !isCalm { step() }
        let lastEvent = counts.events + Self.mostCalmEvents
        let end = now + Self.calmMilliseconds
        while violation == nil, counts.events < lastEvent, now < end, step() {}
        if violation == nil { judge() }
        return violation
    }

    /// Does the next job.
    ///
    /// - Returns: false when there is none.
    @discardableResult
    private func step() -> Bool {
        guard let (time, action) = queue.next() else { return false }
        now = time
        do {
            try action.perform(self)
        } catch {
            kill(error.host)
        }
        let isEnough = counts.events >= Self.leastEvents && counts.faultCount >= Self.leastFaults
        if !isCalm, isEnough { calm() }
        return true
    }

    // MARK: What parts of the simulation use

    func note(_ line: @autoclosure () -> String) {
        if isRecorded { transcript.append("\(now) ms: \(line())") }
    }

    func violate(_ law: SimulatedLaw, _ what: String) {
        let found = SimulatedViolation(law: law, what: what)
        if violation == nil { violation = found }
        note("VIOLATION of \(found)")
    }

    /// Whether a fault of this kind happens now.
    func happens(_ fault: SimulatedFault, perMille: Int) -> Bool {
        guard !isCalm, random.happens(perMille: perMille) else { return false }
        counts.count(fault)
        note("FAULT \(fault)")
        return true
    }

    /// A place at which the process may die.
    func reach(_ point: SimulatedCrashPoint, _ host: Int) throws(SimulatedCrash) {
        guard !isCalm, random.happens(perMille: point.perMille * rates.crash / 100) else { return }
        counts.count(point)
        note("CRASH \(point)")
        throw SimulatedCrash(host: host)
    }

    func nextEvent() -> Int {
        event += 1
        return event
    }

    func plan(in delay: Int, _ act: @escaping SimulatedAction.Perform) {
        queue.add(SimulatedAction(perform: act), at: now + delay)
    }

    /// Plans what an owner does if it is the owner still; when its process is stopped it waits.
    func plan(_ owner: SimulatedOwner, in delay: Int, _ act: @escaping SimulatedAction.Perform) {
        plan(in: delay) { simulation throws(SimulatedCrash) in
            guard simulation.owners[owner.partition] === owner else { return }
            guard simulation.hosts[owner.host].isStopped else { return try act(simulation) }
            simulation.plan(owner, in: 20, act)
        }
    }

    func planTakeover(_ partition: Int, in delay: Int) {
        plan(in: delay) { simulation throws(SimulatedCrash) in try simulation.takeOver(partition) }
    }

    func planBatch(_ owner: SimulatedOwner, in delay: Int) {
        plan(owner, in: delay) { simulation throws(SimulatedCrash) in try simulation.work(owner) }
    }

    func planWork(_ owner: SimulatedOwner, in delay: Int) {
        guard !owner.isWorkPlanned else { return }
        owner.isWorkPlanned = true
        planBatch(owner, in: delay)
    }

    /// The life of a process ends: nothing of it is left but the stores, and frames that it had sent.
    func kill(_ host: Int) {
        note("process \(host) is dead")
        hosts[host].life += 1
        hosts[host].isStopped = false
        for partition in owners.indices where owners[partition]?.host == host { release(partition) }
    }

    func release(_ partition: Int) {
        owners[partition] = nil
        planTakeover(partition, in: random.within(1...(isCalm ? 5 : rates.longestTakeover)))
    }

    private func calm() {
        note("faults have stopped")
        isCalm = true
        starving = []
        for host in hosts.indices { hosts[host].isStopped = false }
    }

    func feed(_ partition: Int) {
        guard starving.remove(partition) != nil, let owner = owners[partition] else { return }
        guard random.happens(perMille: 500) else { return }
        for receiver in owner.machines.receivers { say(settlementOf: receiver, owner) }
    }
}
