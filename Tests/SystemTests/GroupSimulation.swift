import Contracts
import Database
import Foundation
import ReceiptsCore
import TestKit

@testable import Delivery

enum GroupAction {
    case packet(GroupPacket)
    case wake(PartitionAddress)
    case takeOver(PartitionAddress)
    case submit(Int)
    /// A phone asks what became of it.
    case ask(Int)
    case state(Int)
    /// The gateway checks whether a request is answered.
    case again(String)
    case prepare(GroupPurpose)
    case newCatalog(PartitionAddress)
    case operatorRetries(PartitionAddress)
    case backUp(PartitionAddress)
    case restore(PartitionAddress)
    case work(GroupWork)

    var isTimer: Bool {
        switch self {
        case .wake, .again: true
        case .packet, .takeOver, .submit, .ask, .state, .prepare, .newCatalog, .operatorRetries, .backUp,
            .restore, .work:
            false
        }
    }
}

/// A random run of two partitions of every service, a gateway, two buyers and an operator.
final class GroupSimulation: SeededSimulation {
    static let minimumEvents = 200
    static let minimumFaults = 10
    /// When faults stop, in ms.
    static let faultsEnd: Int64 = 9_000
    /// How long it may take until everything is at rest when nothing goes wrong any more, in ms.
    static let drainMilliseconds: Int64 = 180_000
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
    var partitions: [PartitionAddress: GroupPartition] = [:]
    var addresses: [PartitionAddress] = []
    var connections: [[UInt8]: PartitionAddress] = [:]
    var reconnects: [String: Int] = [:]
    var gateway = GroupGateway()
    var apple = GroupApple()
    var finished: Set<String> = []
    /// The answers about all receipts when everything was at rest.
    var finalVerdicts: [String: ReceiptVerdictV1] = [:]
    /// Every law that was found broken, the first one first.
    private(set) var violations: [GroupViolation] = []
    var violation: GroupViolation? { violations.first }
    var isChecking = false
    let isRecorded: Bool
    private(set) var transcript: [String] = []

    init(
        seed: Int,
        variant: GroupVariant = .faithful,
        restores: Bool = false,
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
        if restores || variant == .trustsRestoredStore {
            restore = GroupRestore(address: PartitionAddress(.receipts, seed % GroupWorld.partitions))
        }
        services.keysOnTransactionID = variant == .keysOnTransactionID
        // Half of the runs without a restored store know that no claim can be forgotten.
        services.ownsSinceEver = restore == nil ? !seed.isMultiple(of: 2) : variant == .trustsRestoredStore
        let all = GroupWorkload.allCases
        let first = seed * GroupScriptWriter.workloadsPerRun
        let workloads = (0..<GroupScriptWriter.workloadsPerRun).map { all[(first + $0) % all.count] }
        var writer = GroupScriptWriter(SeededRandom(seed: seed + 1_000_003), buyers: buyers)
        script = writer.write(workloads)
        for workload in workloads { counts.count(workload) }
        for service in ServiceName.allCases {
            for partition in 0..<GroupWorld.partitions {
                let address = PartitionAddress(service, partition)
                addresses.append(address)
                partitions[address] = try GroupPartition(address)
            }
        }
    }

    var moment: ClockReading {
        ClockReading(now: Timestamp(milliseconds: GroupWorld.start + 86_400_000 + now), uptime: 1_000 + now)
    }

    func fail(_ reason: @autoclosure () -> String, _ law: GroupLaw = .agreement) {
        // A run ends with its first violation; its checks name all of them.
        guard violation == nil || isChecking, violations.count < Self.violationBound else { return }
        violations.append(GroupViolation(law: law, what: reason()))
    }

    func log(_ line: @autoclosure () -> String) {
        if isRecorded { transcript.append("\(now): \(line())") }
    }

    func schedule(_ action: GroupAction, at time: Int64) {
        if !action.isTimer { inFlight += 1 }
        queue.add(action, at: time)
    }

    func fault(_ fault: GroupFault) {
        counts.count(fault)
        log("fault \(fault)")
    }

    func run() -> GroupViolation? {
        do {
            for address in addresses { takeOver(address) }
            begin()
            advance(until: Self.faultsEnd) { false }
            endFaults()
            if restore?.isDone == true { recover() }
            advance(until: now + Self.drainMilliseconds) { self.isAtRest }
            try checkApple()
            operate()
            advance(until: now + Self.drainMilliseconds) { self.isAtRest }
            try askFinalVerdicts()
            advance(until: now + Self.drainMilliseconds) { self.isAtRest }
            if violation == nil { try check() }
        } catch {
            fail("the simulation failed: \(error)")
        }
        return violation
    }

    private func begin() {
        planRestore()
        planOutage()
        for plan in script.plans.indices { prepare(plan) }
        if random.flip() {
            for partition in 0..<GroupWorld.partitions {
                let time: Int64 = random.within(500...6_000)
                schedule(.newCatalog(PartitionAddress(.entitlements, partition)), at: time)
            }
        }
        for partition in 0..<GroupWorld.partitions {
            let time: Int64 = random.within(500...8_000)
            schedule(.operatorRetries(PartitionAddress(.receipts, partition)), at: time)
            schedule(.operatorRetries(PartitionAddress(.entitlements, partition)), at: time)
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
    }

    var isAtRest: Bool {
        inFlight == 0 && gateway.pending.isEmpty && addresses.allSatisfy(isAtRest)
    }

    private func isAtRest(_ address: PartitionAddress) -> Bool {
        do {
            return try partitions[address]?.isAtRest(at: moment) == true
        } catch {
            fail("\(address) cannot be read: \(error)")
            return false
        }
    }

    func advance(until end: Int64, mayTimeOut: Bool = false, _ isOver: () -> Bool) {
        var count = 0
        while violation == nil, !isOver() {
            guard let (next, action) = queue.next() else { return }
            let time = Int64(next)
            if !action.isTimer { inFlight -= 1 }
            if time > end {
                schedule(action, at: time)
                if hasFaults || mayTimeOut {
                    now = end
                } else {
                    fail("not at rest: \(pendingWork)", .comesToRest)
                }
                return
            }
            count += 1
            guard count < Self.actionBound else {
                return fail("no rest in sight: \(pendingWork)", .comesToRest)
            }
            now = max(now, time)
            perform(action)
        }
    }

    private var pendingWork: String {
        let busy = addresses.filter { !isAtRest($0) }.map(\.description)
        return "\(busy), \(inFlight) in flight, \(gateway.pending.values.map(\.purpose))"
    }

    private func perform(_ action: GroupAction) {
        switch action {
        case .packet(let packet): deliver(packet)
        case .wake(let address): wake(address)
        case .takeOver(let address): takeOver(address)
        case .submit(let submission): submit(submission)
        case .ask(let submission): ask(submission)
        case .state(let statement): state(statement)
        case .again(let request): askAgain(request)
        case .prepare(let purpose): prepare(purpose)
        case .newCatalog(let address): takeNewCatalog(address)
        case .operatorRetries(let address): retry(at: address)
        case .backUp(let address): backUp(address)
        case .restore(let address): restoreStore(address)
        case .work(let work): arrive(work)
        }
    }

    // MARK: The end

    /// The operator brings the new catalog, starts Receipts anew, and has all that is parked judged again.
    private func operate() {
        services.hasLaterCatalog = true
        for partition in 0..<GroupWorld.partitions {
            takeNewCatalog(PartitionAddress(.entitlements, partition))
            if let owned = partitions[PartitionAddress(.receipts, partition)] { handOver(owned) }
            for service in [ServiceName.entitlements, .receipts] {
                retry(at: PartitionAddress(service, partition))
            }
        }
    }

    private func askFinalVerdicts() throws {
        for row in try rows(.receipts, "SELECT receipt_id FROM submission ORDER BY receipt_id") {
            let receipt = ReceiptID(unchecked: try row[0])
            ask(
                .finalVerdict(receipt),
                VerdictWaitV1(bundleId: GroupWorld.app, receiptId: receipt, wait: 0),
                receipt
            )
        }
    }

    func rows(_ service: ServiceName, _ sql: String, _ values: [Value] = []) throws -> [Row] {
        try addresses.filter { $0.service == service }.flatMap { address in
            try partitions[address]?.store.read(sql, values) ?? []
        }
    }
}
