import Contracts
import Database
import TestKit

@testable import Delivery

/// What a simulated run in which a store is restored needs to know.
struct GroupRestore {
    let address: PartitionAddress
    var backup: GroupBackup?
    /// Who had what, and had paid for it, when the older copy was brought back.
    var owners: [GroupKey: Owner] = [:]
    var isDone = false

    struct Owner {
        let holder: BuyerID
        let payer: BuyerID
    }
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
        schema = try objects.map { try $0["sql"] }
        tables = try objects.filter { try $0["type"] == "table" }.map { object in
            let name: String = try object["name"]
            return (name, try connection.copies(of: name))
        }
    }

    func write(to connection: any Connection) throws {
        for statement in schema { try connection.execute(statement, []) }
        for (name, rows) in tables {
            for row in rows { try connection.insert(row, into: name) }
        }
    }
}

/// A partition of Receipts whose disk breaks: an older copy comes back, and then everybody hands everything in again,
/// first of all the wrong login.
extension GroupSimulation {
    func planRestore() {
        guard let restore else { return }
        let (address, time) = (restore.address, random.within(300...3_500) as Int64)
        schedule(after: time) { $0.backUp(address) }
        schedule(after: time + random.within(300...4_000)) { $0.restoreStore(address) }
    }

    private func backUp(_ address: PartitionAddress) {
        do {
            restore?.backup = try partitions[address]?.store.backUp()
            log("\(address) is backed up")
        } catch {
            fail("no backup: \(error)")
        }
    }

    private func restoreStore(_ address: PartitionAddress) {
        guard let partition = partitions[address], let backup = restore?.backup else { return }
        do {
            let held = try heldClaims(in: partition)
            restore?.owners = try paidOrders()
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
        Set(try partition.store.read("SELECT * FROM claim WHERE state = 'held'").map { try GroupKey($0) })
    }

    private func paidOrders() throws -> [GroupKey: GroupRestore.Owner] {
        let paid = try rows(.orders, "SELECT * FROM orders WHERE payment = 'paid'")
        let owners = try paid.map { row in
            let (payer, holder): (BuyerID, BuyerID?) = (try row["buyer_id"], try row["holder_id"])
            return (try GroupKey(row), GroupRestore.Owner(holder: holder ?? payer, payer: payer))
        }
        return Dictionary(owners) { $1 }
    }

    /// A phone on which somebody else is logged in now finds a proof that it has kept.
    private func submitUnderOtherLogin(_ number: Int) {
        var submission = script.submissions[number]
        guard submission.receipt != nil, case .transactions = submission.content else { return }
        let other = submission.buyer == buyers.0 ? buyers.1 : buyers.0
        submission = GroupSubmission(
            plan: submission.plan,
            buyer: other,
            content: submission.content,
            kind: submission.kind,
            delay: random.within(10...2_500)
        )
        let copy = script.submissions.count
        script.submissions.append(submission)
        schedule(after: submission.delay) { $0.submit(copy) }
    }

    // MARK: Recovery

    /// Rounds of 1.5 s until no link is in quarantine and nobody waits, not even for Apple; the last ones are long enough
    /// for what failed often and is tried again in an hour.
    private static let recoveryRounds = 120
    private static let shortRounds = 105

    /// The operator ends every quarantine, then all phones and Apple say again what they have said.
    func recover() {
        for round in 0..<Self.recoveryRounds {
            for address in addresses {
                for peer in addresses where peer != address { send(.connected(peer, to: address)) }
            }
            let length = round < Self.shortRounds ? 1_500 : Self.drainMilliseconds / 10
            advance(until: now + length, mayTimeOut: true)
            let links = quarantined
            if links.isEmpty, isAtRest { return resendEverything() }
            for (from, to) in links {
                // The next round finds the link where it is.
                ask(LinkResumeV1(to: to, redrive: true), of: from, again: nil) { _, _ in }
            }
        }
        fail("the quarantine has no end: \(quarantined), \(pendingWork)", .comesToRest)
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
        for number in script.externalPurchases.indices { tell(ofExternalPurchase: number) }
    }

    /// Whether an alarm is what a key that Apple does not take, or a restored store, must lead to.
    func isExpected(_ alarm: String) -> Bool {
        if alarm.hasPrefix("asking Apple about") { return true }
        // Frames are lost, and owners are away.
        if alarm.hasSuffix("has no answer") { return true }
        // Whether it was right to park is judged by its verdict.
        if alarm.hasPrefix("a purchase of "), alarm.contains(" is parked: ") { return true }
        guard restore?.isDone == true else { return false }
        return alarm.contains("is quarantined") || alarm.hasSuffix("unknownTransaction")
    }
}

extension GroupChecker {
    /// Nobody else has what was paid for before an older copy came back.
    func checkRestore() {
        for (key, known) in simulation.restore?.owners ?? [:] {
            guard let holder = claims[key]?.buyer, heirs(of: key, known).contains(holder),
                paid[key]?.buyer == holder, paid[key]?.payer == known.payer
            else {
                fail("\(key) was \(known)'s and is \(String(describing: claims[key])) now", .rightBuyer)
                continue
            }
        }
    }
}
