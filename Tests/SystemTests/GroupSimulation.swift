import Contracts
import Database
import TestKit

@testable import Delivery
@testable import Receipts

/// Something that will happen in a run.
struct GroupAction {
    /// Whether it only looks after what should have happened.
    let isTimer: Bool
    let perform: (GroupSimulation) -> Void
}

/// A random run of two partitions of every service, a gateway, two buyers and an operator.
final class GroupSimulation: SeededSimulation {
    static let minimumEvents = 200
    static let minimumFaults = 10
    /// When faults stop, in ms.
    static let faultsEnd: Int64 = 9_000
    /// How long it may take until everything is at rest when nothing goes wrong any more, in ms.
    static let drainMilliseconds: Int64 = 3 * 3_600_000
    static let actionBound = 60_000
    /// Violations of one run that are noted at most.
    static let violationBound = 100

    let seed: Int
    let variant: GroupVariant
    let buyers: (BuyerID, BuyerID)
    /// The store that an older copy takes the place of; nil in a run without that.
    var restore: GroupRestore?
    var random: SeededRandom
    var script: GroupScript
    var services: GroupServices
    private var queue = SimulationQueue<GroupAction>()
    /// How many planned actions are more than timers.
    private var inFlight = 0
    var counts = GroupCounts()
    var now: Int64 = 0
    var hasFaults = true
    let addresses: [PartitionAddress]
    let partitions: [PartitionAddress: GroupPartition]
    var connections: [[UInt8]: PartitionAddress] = [:]
    var reconnects: [String: Int] = [:]
    var gateway = GroupGateway()
    var apple = GroupApple()
    var finished: Set<String> = []
    var server: GroupServer
    /// What is told of holdings, by the ids of the events.
    var toldHoldings: [String: HoldingChangedV1] = [:]
    /// The last of it, by buyer, environment and entitlement.
    var lastHoldings: [[String]: HoldingChangedV1] = [:]
    /// The answers about all receipts when everything was at rest.
    var finalVerdicts: [String: ReceiptVerdictV1] = [:]
    /// What the buyers were found to hold then.
    var finalHoldings: [GroupHoldings] = []
    /// Every law that was found broken, the first one first.
    private(set) var violations: [GroupViolation] = []
    var violation: GroupViolation? { violations.first }
    var isChecking = false
    let isRecorded: Bool
    private(set) var transcript: [String] = []

    /// Of so many runs one has its stores behind commit logs.
    static let replicatedShare = 7

    init(
        seed: Int,
        variant: GroupVariant = .faithful,
        restores scope: GroupRestore.Scope? = nil,
        atTheDesk: Bool = false,
        isRecorded: Bool = false
    ) throws {
        self.seed = seed
        self.variant = variant
        self.isRecorded = isRecorded
        random = SeededRandom(seed: seed)
        buyers = (BuyerID(unchecked: "anna-\(seed % 8)"), BuyerID(unchecked: "bert-\(seed / 8 % 8)"))
        services = GroupServices(tester: buyers.0)
        // Half of all lives ask both of Apple's services.
        if (seed / 2).isMultiple(of: 2) { services.apis.insert(.verifyReceipt) }
        if let scope = scope ?? variant.restores { restore = GroupRestore(scope, seed: seed) }
        services.variant = variant
        server = GroupServer(variant)
        // Half of the runs without a restored store know that no claim can be forgotten.
        services.ownsSinceEver = restore == nil ? !seed.isMultiple(of: 2) : variant == .trustsRestoredStore
        // What a restored store of Receipts has forgotten of another's proof is not in the model.
        let isRestored = restore != nil
        let isAtTheDesk = atTheDesk || variant == .ignoresLateProof
        let all = (isAtTheDesk ? GroupWorkload.atTheDesk : GroupWorkload.everyday)
            .filter { !isRestored || $0 != .forAnother }
        let perRun = isAtTheDesk ? GroupScriptWriter.workloadsPerDeskRun : GroupScriptWriter.workloadsPerRun
        let first = seed * perRun
        let isLedgerRestored = restore?.scope == .backup && restore?.includes(.entitlements) == true
        let areNamesRestored = restore?.includesReceipts == true
        let workloads = (0..<perRun).map { all[(first + $0) % all.count] }
            // Of two heroes a restored ledger may give the other one as coins, and says so.
            .filter { !isLedgerRestored || $0 != .owned }
            // A restored partition of names gives them to whichever chain comes first, and alarms.
            .filter { !areNamesRestored || $0 != .merged && $0 != .restated }
        var writer = GroupScriptWriter(SeededRandom(seed: seed + 1_000_003), buyers: buyers)
        script = writer.write(workloads)
        for workload in workloads { counts.count(workload) }
        addresses = ServiceName.allCases.flatMap(GroupWorld.addresses)
        // How a backup comes back where there is a log is not decided yet.
        let isReplicated =
            variant == .commitsWithoutEntry
            || variant == .faithful && !isRestored && seed.isMultiple(of: Self.replicatedShare)
        partitions = try Dictionary(
            uniqueKeysWithValues: addresses.map { ($0, try GroupPartition($0, isReplicated: isReplicated)) }
        )
    }

    var moment: ClockReading {
        ClockReading(now: Timestamp(milliseconds: GroupWorld.runStart + now), uptime: 1_000 + now)
    }

    func fail(_ reason: @autoclosure () -> String, _ law: GroupLaw = .agreement) {
        // A run ends with its first violation; its checks name all of them.
        guard violation == nil || isChecking, violations.count < Self.violationBound else { return }
        violations.append(GroupViolation(law: law, what: reason()))
    }

    /// What must not fail: if it does, the run does.
    func attempt<Value>(
        _ what: @autoclosure () -> String,
        else fallback: Value,
        _ body: () throws -> Value
    ) -> Value {
        do {
            return try body()
        } catch {
            fail("\(what()): \(error)")
            return fallback
        }
    }

    func log(_ line: @autoclosure () -> String) {
        if isRecorded { transcript.append("\(now): \(line())") }
    }

    func schedule(
        after delay: Int64,
        isTimer: Bool = false,
        _ perform: @escaping (GroupSimulation) -> Void
    ) {
        if !isTimer { inFlight += 1 }
        queue.add(GroupAction(isTimer: isTimer, perform: perform), at: now + delay)
    }

    func fault(_ fault: GroupFault) {
        counts.count(fault)
        log("fault \(fault)")
    }

    func run() -> GroupViolation? {
        do {
            for address in addresses { takeOver(address) }
            begin()
            advance(until: Self.faultsEnd)
            while violation == nil, restore?.isDone == false { advance(until: now + 100) }
            endFaults()
            if restore?.isDone == true { recover() }
            advanceToRest()
            try checkApple()
            try passMonth()
            advanceToRest()
            operate()
            advanceToRest()
            misleadTimers()
            advanceToRest()
            try askFinalVerdicts()
            askFinalHoldings()
            advanceToRest()
            if violation == nil { try check() }
        } catch {
            fail("the simulation failed: \(error)")
        }
        return violation
    }

    private func begin() {
        planRestore()
        planOutage()
        planClocks()
        prepare()
        if random.flip() {
            for address in GroupWorld.addresses(of: .entitlements) {
                schedule(after: random.within(500...6_000)) { $0.takeNewCatalog(address) }
            }
        }
        for address in [.receipts, .entitlements].flatMap(GroupWorld.addresses) {
            schedule(after: random.within(500...8_000)) { $0.retry(at: address) }
        }
    }

    private func endFaults() {
        log("faults end")
        hasFaults = false
        for partition in partitions.values {
            partition.store.storeFault = nil
            partition.store.fullDisk = nil
            partition.withholdsCreditUntil = 0
        }
        // What comes after it is applied to a copy of it.
        for (address, partition) in partitions {
            attempt("\(address) has no snapshot", else: ()) { try partition.store.takeSnapshot() }
        }
    }

    var isAtRest: Bool {
        inFlight == 0 && gateway.pending.isEmpty && addresses.allSatisfy(isAtRest)
    }

    private func isAtRest(_ address: PartitionAddress) -> Bool {
        attempt("\(address) cannot be read", else: false) {
            try partitions[address]?.isAtRest(at: moment) == true
        }
    }

    private func advanceToRest() { advance(until: now + Self.drainMilliseconds) { self.isAtRest } }

    func advance(until end: Int64, mayTimeOut: Bool = false, _ isOver: () -> Bool = { false }) {
        var count = 0
        while violation == nil, !isOver() {
            guard let (next, action) = queue.next() else { return }
            let time = Int64(next)
            if time > end {
                queue.add(action, at: time)
                if hasFaults || mayTimeOut {
                    now = end
                } else {
                    fail("not at rest: \(pendingWork)", .comesToRest)
                }
                return
            }
            if !action.isTimer { inFlight -= 1 }
            count += 1
            guard count < Self.actionBound else {
                return fail("no rest in sight: \(pendingWork)", .comesToRest)
            }
            now = max(now, time)
            action.perform(self)
        }
    }

    var pendingWork: String {
        let busy = addresses.filter { !isAtRest($0) }.map(\.description)
        let delayed = addresses.flatMap { partitions[$0]?.delayedEvents ?? [] }
        return "\(busy), \(inFlight) in flight, \(gateway.pending.values.map(\.type)), delayed: \(delayed)"
    }

    // MARK: The end

    /// The operator brings the new catalog, starts Receipts anew, and has all that is parked judged again.
    private func operate() {
        services.hasLaterCatalog = true
        for address in GroupWorld.addresses(of: .receipts) {
            if let owned = partitions[address] { handOver(owned) }
        }
        for address in GroupWorld.addresses(of: .entitlements) { takeNewCatalog(address) }
        for address in [.entitlements, .receipts].flatMap(GroupWorld.addresses) { retry(at: address) }
        reverseCompensations()
    }

    private func askFinalVerdicts() throws {
        for row in try rows(.receipts, "SELECT receipt_id FROM submission ORDER BY receipt_id") {
            askFinalVerdict(try row["receipt_id"])
        }
    }

    private func askFinalVerdict(_ receipt: ReceiptID) {
        let question = VerdictWaitV1(bundleId: GroupWorld.app, receiptId: receipt, wait: 0)
        askForVerdict(question) {
            $0.askFinalVerdict(receipt)
        } answered: {
            $0.finalVerdicts[receipt.rawValue] = $1
        }
    }

    func rows(_ service: ServiceName, _ sql: SQL) throws -> [Row] {
        try GroupWorld.addresses(of: service).flatMap { try partitions[$0]?.store.read(sql) ?? [] }
    }
}
