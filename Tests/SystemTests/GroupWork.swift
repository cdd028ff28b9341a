import Contracts
import Database
import Foundation
import ReceiptsCore
import TestKit

@testable import Delivery
@testable import Receipts

/// A partition's outside work, on its way to Apple or back.
struct GroupWork {
    let address: PartitionAddress
    /// Which of the partition's owners asked: an answer to a dead one reaches nobody.
    let owner: Int
    let item: WorkItem
    /// What came of it; nil on the way there.
    var result: [UInt8]?
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
        for item in items {
            let work = GroupWork(address: partition.address, owner: partition.generation, item: item)
            log("\(partition.address) asks Apple: \(item.key)")
            schedule(.work(work), at: now + travelTime())
        }
    }

    private func travelTime() -> Int64 {
        hasFaults && random.happens(perMille: 100) ? random.within(300...3_000) : random.within(1...150)
    }

    /// Work has come to one of its two ends.
    func arrive(_ work: GroupWork) {
        guard let partition = partitions[work.address], partition.engine != nil,
            partition.generation == work.owner
        else {
            if hasFaults { fault(.lostAnswer) }
            return
        }
        guard let result = work.result else { return ask(work, partition) }
        partition.inbox.append(.worked(work.item, result: result))
        wake(work.address, at: now + random.within(0...3))
    }

    private func ask(_ work: GroupWork, _ partition: GroupPartition) {
        do {
            let isForApple = work.address.service == .receipts && work.item.key != RevocationMonitor.key
            guard isForApple else { return answerEmpty(work) }
            let question = try AppleJob(work.item)
            let report = try report(on: question)
            log("Apple on \(work.item.key): \(report.outcome)")
            if let answer = GroupAnswer(rawValue: report.outcome.rawValue) { counts.count(answer) }
            apple.check(question, report)
            if report.outcome == .unavailable { pause(question.queue, of: partition, report) }
            var answered = work
            answered.result = try report.bytes()
            schedule(.work(answered), at: now + travelTime())
            // Counted twice, it would be asked again after the end of the run only.
            guard hasFaults, report.outcome != .unknown, random.happens(perMille: 100) else { return }
            fault(.repeatedAnswer)
            schedule(.work(answered), at: now + random.within(1...3_000))
        } catch {
            fail("work was not understood: \(error)")
        }
    }

    /// No certificate was revoked, and there is nothing to do outside for a look at an order.
    private func answerEmpty(_ work: GroupWork) {
        var answered = work
        answered.result = []
        schedule(.work(answered), at: now + travelTime())
    }

    /// What stops one call stops the others of its lane, half of the time.
    private func pause(_ lane: AppleQueue, of partition: GroupPartition, _ report: AppleJobResult) {
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
        let asking = "SELECT receipt_id FROM submission WHERE state = 'asking'"
        let receipts = try rows(.receipts, asking).map { try $0[0] as String }
        if !receipts.isEmpty { fail("Apple is still asked about \(receipts)", .comesToRest) }
        let questions = try rows(.receipts, "SELECT query_id FROM apple_query").map { try $0[0] as String }
        if !questions.isEmpty { fail("nobody asks any more \(questions)", .comesToRest) }
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
        guard engine.state.workInHand.isEmpty, engine.state.workAt.map({ $0 > moment.now }) ?? true else {
            return true
        }
        guard address.service == .receipts else { return false }
        let waiting = "SELECT 1 FROM apple_query"
        let unread = """
            SELECT 1 FROM history_cursor
            WHERE content ->> 'failures' > 0 OR content ->> 'span' IS NOT NULL
            """
        return try !store.read("\(waiting) UNION ALL \(unread)").isEmpty
    }
}
