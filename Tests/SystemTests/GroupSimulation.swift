import TestKit
import Contracts
import Database
import Foundation
import ReceiptsCore

@testable import Delivery

/// What happens at one moment of a simulated life.
enum GroupHappening {
    case parcel(GroupParcel)
    case wake(PartitionAddress)
    case rise(PartitionAddress)
    /// A phone hands its proof in.
    case submit(Int)
    /// A phone asks what became of it.
    case ask(Int)
    case state(Int)
    /// The gateway looks whether a request is answered.
    case again(String)
    case prepare(GroupPurpose)
    case newCatalog(PartitionAddress)
    case operatorRetries(PartitionAddress)
    case backUp(PartitionAddress)
    case restore(PartitionAddress)
    case errand(GroupErrand)

    var isTimer: Bool {
        switch self {
        case .wake, .again: true
        case .parcel, .rise, .submit, .ask, .state, .prepare, .newCatalog, .operatorRetries, .backUp,
            .restore, .errand:
            false
        }
    }
}

/// The life of two partitions of every service, a gateway, two buyers and an operator, all of it by chance.
final class GroupSimulation {
    static let leastEvents = 200
    static let leastFaults = 10
    /// When faults stop, in ms.
    static let faultsEnd: Int64 = 9_000
    /// How long it may take until everything is at rest when nothing goes wrong any more, in ms.
    static let drainMilliseconds: Int64 = 180_000
    /// Happenings of one life at most.
    static let happeningBound = 60_000
    /// Violations of one life that are noted at most.
    static let violationBound = 100

    let seed: Int
    let variant: GroupVariant
    let buyers: (BuyerID, BuyerID)
    /// The store that an older copy takes the place of; nil in a life without that.
    var restore: GroupRestore?
    var random: SeededRandom
    var script: GroupScript
    var services: GroupServices
    var agenda = GroupAgenda()
    var tally = GroupTally()
    var now: Int64 = 0
    var hasFaults = true
    var partitions: [PartitionAddress: GroupPartition] = [:]
    var addresses: [PartitionAddress] = []
    /// Who is at the other end of a connection.
    var connections: [[UInt8]: PartitionAddress] = [:]
    var reconnects: [String: Int] = [:]
    var gateway = GroupGateway()
    var apple = GroupApple()
    /// What phones were told they may finish.
    var finished: Set<String> = []
    /// The answers about all receipts when everything was at rest.
    var lastWords: [String: ReceiptVerdictV1] = [:]
    /// Every law that was found broken, the first one first.
    private(set) var violations: [GroupViolation] = []
    var violation: GroupViolation? { violations.first }
    var isJudged = false
    let isTold: Bool
    private(set) var transcript: [String] = []

    init(
        seed: Int,
        variant: GroupVariant = .faithful,
        restores: Bool = false,
        isTold: Bool = false
    ) throws {
        self.seed = seed
        self.variant = variant
        self.isTold = isTold
        random = SeededRandom(seed: seed)
        buyers = (BuyerID(unchecked: "anna-\(seed % 8)"), BuyerID(unchecked: "bert-\(seed / 8 % 8)"))
        services = GroupServices(tester: buyers.0)
        // Half of all lives ask both of Apple's services.
        if (seed / 2).isMultiple(of: 2) { services.apis.insert(.verifyReceipt) }
        if restores || variant == .trustsRestoredStore {
            restore = GroupRestore(address: PartitionAddress(.receipts, seed % GroupWorld.partitions))
        }
        services.keysOnTransactionID = variant == .keysOnTransactionID
        // Half of the lives without a restored store know that no claim can be forgotten.
        services.ownsSinceEver = restore == nil ? !seed.isMultiple(of: 2) : variant == .trustsRestoredStore
        let all = GroupWorkload.allCases
        let hand = (0..<GroupDealer.hand).map { all[(seed * GroupDealer.hand + $0) % all.count] }
        var dealer = GroupDealer(SeededRandom(seed: seed + 1_000_003), buyers: buyers)
        script = dealer.deal(hand)
        for workload in hand { tally.count(workload) }
        for service in ServiceName.allCases {
            for partition in 0..<GroupWorld.partitions {
                let address = PartitionAddress(service, partition)
                addresses.append(address)
                partitions[address] = try GroupPartition(address)
            }
        }
    }

    var moment: Moment {
        Moment(now: Timestamp(milliseconds: GroupWorld.start + 86_400_000 + now), uptime: 1_000 + now)
    }

    func fail(_ reason: @autoclosure () -> String, _ law: GroupLaw = .agreement) {
        // A life ends with its first violation; its judgement names all of them.
        guard violation == nil || isJudged, violations.count < Self.violationBound else { return }
        violations.append(GroupViolation(law: law, what: reason()))
    }

    func tell(_ line: @autoclosure () -> String) {
        if isTold { transcript.append("\(now): \(line())") }
    }

    func fault(_ fault: GroupFault) {
        tally.count(fault)
        tell("fault \(fault)")
    }

    /// Lives the life; returns what broke a law, or nil.
    func run() -> GroupViolation? {
        do {
            for address in addresses { rise(address) }
            begin()
            live(until: Self.faultsEnd) { false }
            calmDown()
            if restore?.isDone == true { recover() }
            live(until: now + Self.drainMilliseconds) { self.isAtRest }
            try judgeQuestions()
            operatorsDay()
            live(until: now + Self.drainMilliseconds) { self.isAtRest }
            try askLast()
            live(until: now + Self.drainMilliseconds) { self.isAtRest }
            if violation == nil { try judge() }
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
                agenda.add(.newCatalog(PartitionAddress(.entitlements, partition)), at: time)
            }
        }
        for partition in 0..<GroupWorld.partitions {
            let time: Int64 = random.within(500...8_000)
            agenda.add(.operatorRetries(PartitionAddress(.receipts, partition)), at: time)
            agenda.add(.operatorRetries(PartitionAddress(.entitlements, partition)), at: time)
        }
    }

    /// From now on nothing goes wrong.
    private func calmDown() {
        tell("faults end")
        hasFaults = false
        for partition in partitions.values {
            partition.store.mishap = nil
            partition.store.want = nil
            partition.starvesUntil = 0
        }
    }

    var isAtRest: Bool {
        agenda.inFlight == 0 && gateway.pending.isEmpty && addresses.allSatisfy(isAtRest)
    }

    private func isAtRest(_ address: PartitionAddress) -> Bool {
        do {
            return try partitions[address]?.isAtRest(at: moment) == true
        } catch {
            fail("\(address) cannot be looked at: \(error)")
            return false
        }
    }

    func live(until end: Int64, mayRunOut: Bool = false, _ isOver: () -> Bool) {
        var count = 0
        while violation == nil, !isOver() {
            guard let (time, happening) = agenda.next() else { return }
            if time > end {
                agenda.add(happening, at: time)
                if hasFaults || mayRunOut { now = end } else { fail("not at rest: \(unrest)", .comesToRest) }
                return
            }
            count += 1
            guard count < Self.happeningBound else {
                return fail("no rest in sight: \(unrest)", .comesToRest)
            }
            now = max(now, time)
            happen(happening)
        }
    }

    private var unrest: String {
        let busy = addresses.filter { !isAtRest($0) }.map(\.description)
        return "\(busy), \(agenda.inFlight) in flight, \(gateway.pending.values.map(\.purpose))"
    }

    private func happen(_ happening: GroupHappening) {
        switch happening {
        case .parcel(let parcel): deliver(parcel)
        case .wake(let address): wake(address)
        case .rise(let address): rise(address)
        case .submit(let submission): submit(submission)
        case .ask(let submission): ask(submission)
        case .state(let statement): state(statement)
        case .again(let request): askAgain(request)
        case .prepare(let purpose): prepare(purpose)
        case .newCatalog(let address): takeNewCatalog(address)
        case .operatorRetries(let address): retry(at: address)
        case .backUp(let address): backUp(address)
        case .restore(let address): bringBack(address)
        case .errand(let errand): arrive(errand)
        }
    }

    // MARK: The last days

    /// The operator brings the new catalog, starts Receipts anew, and has all that is parked judged again.
    private func operatorsDay() {
        services.hasLaterCatalog = true
        for partition in 0..<GroupWorld.partitions {
            takeNewCatalog(PartitionAddress(.entitlements, partition))
            if let owned = partitions[PartitionAddress(.receipts, partition)] { handOver(owned) }
            for service in [ServiceName.entitlements, .receipts] {
                retry(at: PartitionAddress(service, partition))
            }
        }
    }

    /// Every receipt is asked for once more.
    private func askLast() throws {
        for row in try rows(.receipts, "SELECT receipt_id FROM submission ORDER BY receipt_id") {
            let receipt = ReceiptID(unchecked: try row.text(0))
            ask(
                .lastWord(receipt),
                VerdictWaitV1(bundleId: GroupWorld.app, receiptId: receipt, wait: 0),
                receipt
            )
        }
    }

    /// The rows of a table in all partitions of a service.
    func rows(_ service: ServiceName, _ sql: String, _ values: [Value] = []) throws -> [Row] {
        try addresses.filter { $0.service == service }.flatMap { address in
            try partitions[address]?.store.inspect(sql, values) ?? []
        }
    }
}
