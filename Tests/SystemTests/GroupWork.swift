import Contracts
import Database
import TestKit

@testable import Delivery
@testable import Receipts

/// A partition's work, which is under way for some time.
struct GroupWork {
    let address: PartitionAddress
    /// Which of the partition's owners asked: an answer to a dead one reaches nobody.
    let owner: Int
    let item: WorkItem
}

/// The work that owners of Receipts have outside their transactions: Apple is played here.
extension GroupSimulation {
    /// When Apple answers nobody, in half of all runs.
    func planOutage() {
        guard random.flip() else { return }
        let start: Int64 = random.within(0...5_000)
        apple.outage = start...(start + random.within(500...4_000))
    }

    func start(_ items: [WorkItem], of partition: GroupPartition) {
        for item in believed(items, of: partition) {
            let work = GroupWork(address: partition.address, owner: partition.generation, item: item)
            log("\(partition.address) works: \(item.key)")
            schedule(after: travelTime()) { $0.ask(work) }
        }
    }

    private func travelTime() -> Int64 {
        hasFaults && random.happens(perMille: 100) ? random.within(300...3_000) : random.within(1...150)
    }

    /// The owner that asked; one that is dead hears of nothing.
    private func owned(_ work: GroupWork) -> GroupPartition? {
        let partition = partitions[work.address]
        if partition?.engine != nil, partition?.generation == work.owner { return partition }
        if hasFaults { fault(.lostAnswer) }
        return nil
    }

    private func take(_ result: [UInt8], for work: GroupWork) {
        guard let partition = owned(work) else { return }
        partition.inbox.append(.worked(work.item, result: result))
        wake(work.address, after: random.within(0...3))
    }

    private func ask(_ work: GroupWork) {
        guard let partition = owned(work) else { return }
        do {
            let isForApple =
                work.address.service == .receipts && work.item.key != RevocationMonitor.key
                && work.item.timer == nil
            if work.address.service == .notifications { return answer(work, try call(work)) }
            // No certificate was revoked, and a timer's turn has nothing outside.
            guard isForApple else { return answer(work, []) }
            let question = try AppleJob(work.item)
            let report = try report(on: question)
            log("Apple on \(work.item.key): \(report.outcome)")
            if let answer = GroupAnswer(rawValue: report.outcome.rawValue) { counts.count(answer) }
            apple.check(question, report)
            if report.outcome == .unavailable { pause(question.queue, of: partition, report) }
            let result = try report.bytes()
            answer(work, result)
            // Counted twice, it would be asked again after the end of the run only.
            guard hasFaults, report.outcome != .unknown, report.outcome != .doubted,
                random.happens(perMille: 100)
            else { return }
            fault(.repeatedAnswer)
            answer(work, result, after: random.within(1...3_000))
        } catch {
            fail("work was not understood: \(error)")
        }
    }

    private func answer(_ work: GroupWork, _ result: [UInt8], after delay: Int64? = nil) {
        schedule(after: delay ?? travelTime()) { $0.take(result, for: work) }
    }

    /// What stops one call stops the others of its lane, half of the time.
    private func pause(_ lane: AppleQueryQueue, of partition: GroupPartition, _ report: AppleJobResult) {
        guard random.flip(), let until = report.until,
            let worker = partition.engine?.service.worker as? AppleWorker
        else { return }
        worker.settings.access.pause(lane, of: partition.address.partition, until: until)
    }

    // MARK: Faults

    /// What no owner may do: it believes that answers of Apple's are written, so that nobody asks again, and they are
    /// not.
    func dropCommittedAnswers(in inputs: [PartitionInput]) -> [PartitionInput] {
        guard variant == .forgetsAnswers else { return inputs }
        return inputs.filter { input in
            guard case .worked = input else { return true }
            return !random.happens(perMille: 300)
        }
    }

    // MARK: Judging

    /// At rest nobody waits for Apple any more.
    func checkApple() throws {
        for waiting in ["submission WHERE state = 'asking'", "claim WHERE state = 'waiting'", "apple_query"] {
            let rows = try rows(.receipts, "SELECT * FROM \(raw: waiting)")
            if !rows.isEmpty { fail("nobody asks Apple any more: \(rows)", .comesToRest) }
        }
    }
}

extension GroupPartition {
    /// Answers of Apple's reach the process that asked, or nobody.
    func dropWorkResults() {
        inbox.removeAll { input in
            if case .worked = input { true } else { false }
        }
    }

    /// Whether there is work in hand, or will be while the group runs; what a process does now and then is none.
    func hasWork(_ engine: PartitionEngine, at moment: ClockReading) throws -> Bool {
        guard engine.state.workInHand.isEmpty, engine.state.turnsInHand.isEmpty,
            engine.state.workAt.map({ $0 > moment.now }) ?? true
        else { return true }
        if address.service == .notifications {
            return try !store.read("SELECT 1 FROM webhook WHERE delivered_at IS NULL LIMIT 1").isEmpty
        }
        guard address.service == .receipts else { return false }
        let sql: SQL = """
            SELECT 1 FROM apple_query UNION ALL SELECT 1 FROM submission_part
            UNION ALL SELECT 1 FROM claim WHERE state = 'waiting'
            UNION ALL SELECT 1 FROM history_cursor
            WHERE content ->> 'failures' > 0 OR content ->> 'span' IS NOT NULL
            """
        return try !store.read(sql).isEmpty
    }
}
