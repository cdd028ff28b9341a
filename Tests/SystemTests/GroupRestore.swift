import Contracts
import Database
import TestKit

@testable import Delivery

/// What a simulated run in which stores are restored needs to know.
struct GroupRestore {
    /// Which stores are restored, and how.
    enum Scope: String, CaseIterable, Sendable {
        /// A copy of one of Receipts takes its place, and its links find out.
        case receipts
        /// The operator restores a backup of one of another service, or of the whole group.
        case backup
    }

    let scope: Scope
    let addresses: [PartitionAddress]
    var backups: [PartitionAddress: GroupBackup] = [:]
    /// Who had what, and had paid for it, when the older copy was brought back.
    var owners: [GroupKey: Owner] = [:]
    /// The same before anything was forgotten.
    var former: [GroupKey: Owner] = [:]
    var isDone = false

    init(_ scope: Scope, seed: Int) {
        self.scope = scope
        let partition = seed / 4 % GroupWorld.partitions
        switch (scope, seed % 4) {
        case (.receipts, _): addresses = [PartitionAddress(.receipts, seed % GroupWorld.partitions)]
        case (.backup, 0): addresses = [PartitionAddress(.orders, partition)]
        case (.backup, 1): addresses = [PartitionAddress(.entitlements, partition)]
        case (.backup, 2): addresses = [PartitionAddress(.notifications, partition)]
        case (.backup, _):
            // Downstream first, as `counterfoil backup` copies them.
            addresses = [.notifications, .entitlements, .orders, .receipts].flatMap(GroupWorld.addresses)
        }
    }

    struct Owner {
        let holder: BuyerID
        let payer: BuyerID
    }

    /// Whether claims may be forgotten.
    var includesReceipts: Bool { addresses.contains { $0.service == .receipts } }

    func includes(_ service: ServiceName) -> Bool { addresses.contains { $0.service == service } }
}

struct GroupBackup {
    let schema: [String]
    let tables: [(name: String, rows: [Row])]

    init(_ connection: any Connection) throws {
        let objects = try connection.rows(
            """
            SELECT type, name, sql FROM sqlite_master
            WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND name <> 'log_position'
            ORDER BY type <> 'table', name
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

extension GroupSimulation {
    /// Whether a store of this service was restored.
    func hasRestored(_ service: ServiceName) -> Bool {
        restore?.isDone == true && restore?.includes(service) == true
    }
}

/// Stores whose disk breaks: older copies come back, and then everybody hands everything in again, first of all the
/// wrong login.
extension GroupSimulation {
    func planRestore() {
        switch restore?.scope {
        case .receipts:
            planRestore(after: random.within(300...3_500), breaksAfter: random.within(300...4_000))
        case .backup: planRestoreWhenReady()
        case nil: break
        }
    }

    /// An order that is issued after the backup and not paid is gone, as the operator is told; here are none of these.
    private func planRestoreWhenReady() {
        guard (1...script.plans).allSatisfy(script.isReady) else {
            return schedule(after: 100, isTimer: true) { $0.planRestoreWhenReady() }
        }
        planRestore(after: random.within(100...2_500), breaksAfter: random.within(300...3_000))
    }

    private func planRestore(after delay: Int64, breaksAfter pause: Int64) {
        var time = delay
        for address in restore?.addresses ?? [] {
            schedule(after: time) { $0.backUp(address) }
            time += random.within(0...50)
        }
        schedule(after: time + pause) { $0.loseStores() }
    }

    private func backUp(_ address: PartitionAddress) {
        attempt("no backup", else: ()) {
            restore?.backups[address] = try partitions[address]?.store.backUp()
            log("\(address) is backed up")
        }
    }

    /// The others go on for a while.
    private func loseStores() {
        guard let restore else { return }
        let outage: Int64 = restore.scope == .backup ? random.within(0...1_500) : 0
        for partition in restore.addresses.compactMap({ partitions[$0] }) where outage > 0 {
            partition.isLost = true
            partition.engine = nil
            partition.inbox = []
        }
        schedule(after: outage) { $0.restoreStores() }
    }

    private func restoreStores() {
        guard let restore else { return }
        for partition in partitions.values {
            partition.store.storeFault = nil
            partition.store.fullDisk = nil
        }
        do {
            let known = try knownPurchases()
            let owners = try paidOrders()
            for (address, backup) in restore.backups { try partitions[address]?.store.restore(backup) }
            let forgotten = known.subtracting(try knownPurchases()).count
            if restore.scope == .receipts { counts.forgottenClaims += forgotten }
            for _ in 0..<forgotten { counts.count(GroupLoss(restore)) }
            // What a whole group has forgotten, nobody knows.
            self.restore?.owners =
                restore.scope == .backup && restore.includesReceipts ? try paidOrders() : owners
            self.restore?.former = owners
            self.restore?.isDone = true
            counts.restores += 1
            if restore.scope == .backup { try beginLinksAnew(restore.addresses) }
        } catch {
            return fail("no restore: \(error)")
        }
        log("\(restore.addresses) are restored")
        forgetWalletActions()
        let down = restore.scope == .backup ? addresses : restore.addresses
        for partition in down.compactMap({ partitions[$0] }) where partition.engine != nil || partition.isLost
        {
            partition.isLost = false
            partition.engine = nil
            partition.inbox = []
            takeOver(partition.address)
        }
        for number in script.submissions.indices { submitUnderOtherLogin(number) }
    }

    /// What `counterfoil restore` does with the links from and to the stores.
    private func beginLinksAnew(_ restored: [PartitionAddress]) throws {
        for address in addresses {
            try partitions[address]?.store.write { connection in
                if restored.contains(address) {
                    try RestoredStore(connection: connection).mark(at: moment.now)
                }
                let targets: (PartitionAddress) -> Bool = {
                    restored.contains(address) || restored.contains($0)
                }
                _ = try OfflineStore.redrive(connection, to: targets, now: moment.now)
                if variant == .restoresWithoutRedrive {
                    _ = try connection.execute("DELETE FROM link_redrive", [])
                }
            }
        }
    }

    /// Who had asked a wallet is told that it is gone with its ledger; who has no answer asks again.
    private func forgetWalletActions() {
        guard restore?.includes(.entitlements) == true else { return }
        let sql: SQL = "SELECT idempotency_key FROM wallet_request"
        let kept: Set<String> = attempt("no wallet can be read", else: []) {
            Set(try rows(.entitlements, sql).map { try $0["idempotency_key"] })
        }
        let wallets: Set<EventType> = [WalletMoveV1.type, SpendReverseV1.type]
        gateway.pending = gateway.pending.filter { !wallets.contains($0.value.type) }
        for number in script.walletActions.indices {
            let (isKept, answers) = (kept.contains("wallet-\(number)"), script.walletActions[number].answers)
            script.walletActions[number].shortages = []
            script.walletActions[number].attempts = 0
            if !isKept { script.walletActions[number].firstEntries = nil }
            if answers.isEmpty {
                schedule(after: random.within(10...900)) { $0.act(number) }
            } else if !isKept {
                script.walletActions[number].answers = []
                script.walletActions[number].isOver = true
            }
        }
    }

    /// What the stores that are restored know of purchases that are held, paid, granted or answered.
    private func knownPurchases() throws -> Set<String> {
        guard let restore else { return [] }
        let tables: [ServiceName: SQL] = [
            .receipts: "SELECT purchase_id AS name FROM claim WHERE state = 'held'",
            .orders: "SELECT purchase_id AS name FROM orders WHERE payment = 'paid'",
            .entitlements: "SELECT purchase_id AS name FROM grants",
            .notifications: "SELECT change_id AS name FROM webhook",
        ]
        return try restore.addresses.reduce(into: []) { names, address in
            guard let sql = tables[address.service] else { return }
            for row in try partitions[address]?.store.read(sql) ?? [] {
                names.insert("\(address.service) \(try row["name"] as String)")
            }
        }
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
        guard submission.receipt != nil, case .transactions = submission.content,
            // There a phone has said who has bought it.
            !script.submissions.contains(where: { $0.plan == submission.plan && $0.purchasedBy != nil })
        else { return }
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

    /// Rounds of 1.5 s until no link is in quarantine and nobody waits, not even for Apple; the last ones are long
    /// enough for what failed often and is tried again in an hour.
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
            if links.isEmpty, isAtRest {
                resend()
                // What has expired meanwhile is told when nothing can be missing any more.
                if restore?.scope == .backup {
                    advance(until: now + 2 * RestoredStore.grace, mayTimeOut: true)
                }
                return
            }
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

    /// What Receipts has lost all phones and Apple say again; what another service has lost comes back by itself, but
    /// for verdicts on their way.
    private func resend() {
        let isAll = restore?.includesReceipts == true
        for number in script.submissions.indices {
            let isOpen = script.submissions[number].receipt.map { !finished.contains($0.rawValue) }
            guard isAll || isOpen == true else { continue }
            script.submissions[number].receipt = nil
            script.submissions[number].isDead = false
            submit(number)
        }
        guard isAll else { return }
        for number in script.statements.indices { state(number) }
        for number in script.externalPurchases.indices { tell(ofExternalPurchase: number) }
    }

    /// Whether an alarm is what a key that Apple does not take, or a restored store, must lead to.
    func isExpected(_ alarm: String) -> Bool {
        if alarm.hasPrefix("asking Apple about") { return true }
        // What a fault has stopped comes again.
        if alarm.contains(" fails: "), alarm.contains(GroupStore.fault) { return true }
        // Frames are lost, and owners are away.
        if alarm.hasSuffix("has no answer") { return true }
        // Whether it was right to park is judged by its verdict.
        if alarm.hasPrefix("a purchase of "), alarm.contains(" is parked: ") { return true }
        // A person is to look at it; whether both may stay is judged by the ledger.
        if alarm.hasPrefix("the compensation "), alarm.contains(" stays beside ") { return true }
        if alarm.contains(" on weaker evidence than that of ") {
            counts.count(GroupDeal.contested)
            return true
        }
        guard restore?.isDone == true else { return false }
        return alarm.contains("is quarantined") || alarm.hasSuffix("unknownTransaction")
    }
}

extension GroupChecker {
    /// Nobody else has what was paid for before an older copy came back.
    func checkRestore() {
        for (key, known) in simulation.restore?.owners ?? [:] {
            guard let holder = claims[key]?.buyer, heirs(of: key, known).contains(holder),
                paid[key]?.buyer == holder,
                paid[key]?.payer == known.payer || newcomers(key).contains(holder)
            else {
                fail("\(key) was \(known)'s and is \(String(describing: claims[key])) now", .rightBuyer)
                continue
            }
        }
    }
}
