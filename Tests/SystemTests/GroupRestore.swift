import Contracts
import Database
import DeliveryCore
import TestKit

@testable import Delivery

/// What a simulated run in which a store is restored needs to know.
struct GroupRestore {
    let address: PartitionAddress
    var backup: GroupBackup?
    /// Who had paid for what when the older copy was brought back: this stays so for ever.
    var holders: [GroupKey: BuyerID] = [:]
    var isDone = false
}

struct GroupBackup {
    let schema: [String]
    let tables: [(name: String, rows: [Row])]

    init(_ connection: any Connection) throws {
        let objects = try connection.rows(
            """
            SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'
            ORDER BY type DESC, name
            """
        )
        schema = try objects.map { try $0[2] as String }
        tables = try objects.filter { try $0[0] == "table" }.map { object in
            let name = try object[1] as String
            return (name, try connection.rows("SELECT * FROM \(raw: name)"))
        }
    }

    func write(to connection: any Connection) throws {
        for statement in schema { try connection.execute(statement, []) }
        for (name, rows) in tables {
            for row in rows {
                let marks = Array(repeating: "?", count: row.values.count).joined(separator: ", ")
                try connection.execute("INSERT INTO \(name) VALUES (\(marks))", row.values)
            }
        }
    }
}

/// A partition of Receipts whose disk breaks: an older copy comes back, and then everybody hands everything in again,
/// first of all the wrong login.
extension GroupSimulation {
    func planRestore() {
        guard let restore else { return }
        let time: Int64 = random.within(300...3_500)
        schedule(.backUp(restore.address), at: time)
        schedule(.restore(restore.address), at: time + random.within(300...4_000))
    }

    func backUp(_ address: PartitionAddress) {
        do {
            restore?.backup = try partitions[address]?.store.backUp()
            log("\(address) is backed up")
        } catch {
            fail("no backup: \(error)")
        }
    }

    func restoreStore(_ address: PartitionAddress) {
        guard let partition = partitions[address], let backup = restore?.backup else { return }
        do {
            let held = try heldClaims(in: partition)
            restore?.holders = try paidOrders()
            try partition.store.restore(backup)
            restore?.isDone = true
            counts.restores += 1
            counts.forgottenClaims += held.subtracting(try heldClaims(in: partition)).count
        } catch {
            return fail("no restore: \(error)")
        }
        log("\(address) is restored")
        if partition.engine != nil {
            partition.engine = nil
            partition.inbox = []
            takeOver(address)
        }
        for number in script.submissions.indices { submitUnderOtherLogin(number) }
    }

    private func heldClaims(in partition: GroupPartition) throws -> Set<GroupKey> {
        let sql = "SELECT environment, bundle_id, purchase_id FROM claim WHERE state = 'held'"
        return Set(try partition.store.read(sql).map { try GroupKey($0) })
    }

    private func paidOrders() throws -> [GroupKey: BuyerID] {
        let sql = "SELECT environment, bundle_id, purchase_id, buyer_id FROM orders WHERE payment = 'paid'"
        var holders: [GroupKey: BuyerID] = [:]
        for row in try rows(.orders, sql) { holders[try GroupKey(row)] = BuyerID(unchecked: try row[3]) }
        return holders
    }

    /// A phone on which somebody else is logged in now finds a proof that it has kept.
    private func submitUnderOtherLogin(_ number: Int) {
        let submission = script.submissions[number]
        guard submission.receipt != nil, case .transactions = submission.content else { return }
        let other = submission.buyer == buyers.0 ? buyers.1 : buyers.0
        let delay: Int64 = random.within(10...2_500)
        script.submissions.append(
            GroupSubmission(buyer: other, content: submission.content, kind: submission.kind, delay: delay)
        )
        schedule(.submit(script.submissions.count - 1), at: now + delay)
    }

    // MARK: Recovery

    /// Rounds of 1.5 s until no link is in quarantine and nobody waits, not even for Apple.
    private static let recoveryRounds = 120

    /// The operator ends every quarantine, then all phones and Apple say again what they have said.
    func recover() {
        for _ in 0..<Self.recoveryRounds {
            for address in addresses {
                for peer in addresses where peer != address { send(.connected(peer, to: address)) }
            }
            advance(until: now + 1_500, mayTimeOut: true) { false }
            let links = quarantined
            if links.isEmpty, isAtRest { return resendEverything() }
            for (from, to) in links {
                ask(.redrive(from), LinkResumeV1(to: to, redrive: true), of: from)
            }
        }
        fail("the quarantine has no end: \(quarantined)", .comesToRest)
    }

    private var quarantined: [(PartitionAddress, PartitionAddress)] {
        addresses.flatMap { from -> [(PartitionAddress, PartitionAddress)] in
            let senders = partitions[from]?.engine?.state.senders ?? [:]
            return senders.filter { $0.value.machine.quarantine != nil }.keys.sorted().map { (from, $0) }
        }
    }

    private func resendEverything() {
        for number in script.submissions.indices {
            script.submissions[number].receipt = nil
            script.submissions[number].isDead = false
            submit(number)
        }
        for number in script.statements.indices { state(number) }
    }

    /// Whether an alarm is what a key that Apple does not take, or a restored store, must lead to.
    func isExpected(_ alarm: String) -> Bool {
        if alarm.hasPrefix("asking Apple about") { return true }
        guard restore?.isDone == true else { return false }
        return alarm.contains("is quarantined") || alarm.hasSuffix("unknownTransaction")
    }
}

extension GroupChecker {
    /// Nobody else has what was paid for before an older copy came back.
    func checkRestore() {
        for (key, buyer) in simulation.restore?.holders ?? [:]
        where paid[key]?.buyer != buyer || claims[key]?.buyer != buyer {
            fail("\(key) was \(buyer)'s and is \(String(describing: claims[key])) now", .rightBuyer)
        }
    }
}
