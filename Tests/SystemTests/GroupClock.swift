import Contracts
import Database
import TestKit

@testable import Delivery
@testable import Entitlements
@testable import Notifications

/// The clocks of a simulated group, which jump ahead and are put right.
extension GroupSimulation {
    /// Further ahead than any pause, and not so far that what is kept for a time is deleted, in ms.
    private static let jump: Int64 = 20 * 86_400_000
    /// Past the end of every period, in ms.
    private static let jumpPastPeriods: Int64 = 1_000 * 86_400_000

    /// Longer than from one transfer of a purchase to the next, in ms.
    private static let month: Int64 = 31 * 86_400_000

    /// What an owner reads from its clock.
    func moment(of partition: GroupPartition) -> ClockReading {
        ClockReading(now: moment.now.advanced(by: partition.clockAhead), uptime: moment.uptime)
    }

    /// Has each clock by which something is put off jump once, in half of all runs.
    func planClocks() {
        guard random.flip() else { return }
        for address in [.receipts, .notifications].flatMap(GroupWorld.addresses) {
            schedule(after: random.within(500...7_000)) {
                $0.moveClock(of: address, ahead: Self.jump, for: $0.random.within(100...1_500))
            }
        }
    }

    /// Has what buyers hold looked at by clocks that are past the end of every period.
    func misleadTimers() {
        for address in GroupWorld.addresses(of: .entitlements) {
            moveClock(of: address, ahead: Self.jumpPastPeriods, for: random.within(100...1_500))
        }
    }

    private func moveClock(of address: PartitionAddress, ahead: Int64, for duration: Int64) {
        fault(.wrongClock)
        setClock(of: address, ahead: ahead)
        schedule(after: duration) { $0.setClock(of: address, ahead: 0) }
    }

    private func setClock(of address: PartitionAddress, ahead: Int64) {
        partitions[address]?.clockAhead = ahead
        wake(address, after: 1)
    }

    /// Lets a month pass for purchases that have moved; then those happen that were to wait for it.
    func passMonth() throws {
        for address in GroupWorld.addresses(of: .receipts) {
            try partitions[address]?.store.write {
                _ = try $0.execute(
                    "UPDATE claim SET transferred_at = transferred_at - ?",
                    [.integer(Self.month)]
                )
            }
        }
        for (number, submission) in script.submissions.enumerated() where submission.isMonthLater {
            schedule(after: submission.delay) { $0.submit(number) }
        }
        for (number, statement) in script.statements.enumerated() where statement.isMonthLater {
            schedule(after: statement.delay) { $0.state(number) }
        }
    }

    // MARK: Faults

    /// What no owner may do: it waits for whatever time it has stored.
    func believed(_ items: [WorkItem], of partition: GroupPartition) -> [WorkItem] {
        guard variant == .waitsForStoredTimes, partition.address.service == .notifications else {
            return items
        }
        return items.filter { item in
            attempt("no webhook", else: true) {
                let key = try WebhookJob(payload: item.payload).key
                let sql: SQL = """
                    SELECT 1 FROM webhook WHERE about = \(key.about) AND change_id = \(key.changeId)
                      AND due_at > \(moment(of: partition).now)
                    """
                return try partition.store.read(sql).isEmpty
            }
        }
    }
}

/// A timer that never looks again at what it has told.
struct TrustingHoldingTimer: DurableTimer {
    let real: any DurableTimer

    func due(
        _ connection: any Connection,
        now: Timestamp,
        limit: Int,
        excluding inHand: Set<String>
    ) throws -> (keys: [String], next: Timestamp?) {
        let due = try real.due(connection, now: now, limit: limit, excluding: inHand)
        let keys = try due.keys.filter { text in
            let key: HoldingKey = try JSONColumn.value(of: text)
            return try ToldHoldingStore(connection: connection).told(key).map { $0.computedAt <= now } ?? true
        }
        return (keys, due.next)
    }

    func run(_ key: String, in context: HandlerContext) throws { try real.run(key, in: context) }
}
