import Contracts
import Domain
import TestKit
import Testing

@testable import Control

@Suite struct `many delayed events` {
    private static let here = PartitionAddress(.orders, 1)
    private static let there = PartitionAddress(.receipts, 0)

    private let group = ScriptedGroup()

    private static func event(
        _ number: Int,
        type: String = "counterfoil.claim.held.v1",
        subject: String
    ) -> DelayedEvent {
        DelayedEvent(
            eventId: "e-\(number)",
            kind: .event,
            type: type,
            subject: subject,
            reason: "Broken",
            time: Timestamp(milliseconds: Int64(number))
        )
    }

    private static let work = DelayedEvent(
        eventId: "webhook/7",
        kind: .work,
        reason: "it has ended the program",
        time: Timestamp(milliseconds: 0)
    )

    private func keep(_ events: [DelayedEvent], at address: PartitionAddress) async {
        await group.audit(unsettledMs: 0, delayed: events, at: address)
    }

    private func carryOut(
        _ type: String? = nil
    ) async throws -> OldestFirst<DelayedEventsListV1, DelayedEvent>.Report {
        try await DelayedRound(group: group, decidedBy: "lin", type: type).carryOut()
    }

    private var released: [String] {
        get async { await group.questions(DelayedEventReleaseV1.self).map(\.eventId) }
    }

    @Test func `are released the oldest first, parked work too, and by whom is said`() async throws {
        await keep([Self.event(1, subject: "a"), Self.event(3, subject: "b")], at: Self.here)
        await keep([Self.event(2, subject: "a"), Self.work], at: Self.there)
        let report = try await carryOut()
        #expect(report.decided == 4 && report.missed.isEmpty)
        #expect(await released == ["webhook/7", "e-1", "e-2", "e-3"])
        #expect(await group.questions(DelayedEventReleaseV1.self).allSatisfy { $0.decidedBy == "lin" })
    }

    @Test func `are released of one type alone, and no work with them`() async throws {
        let new = Self.event(2, type: "counterfoil.new.v1", subject: "b")
        await keep([Self.event(1, subject: "a"), new, Self.work], at: Self.here)
        #expect(try await carryOut("counterfoil.new.v1").decided == 1)
        #expect(await released == ["e-2"])
    }

    @Test func `that wait behind an earlier one are passed over`() async throws {
        await keep([Self.event(1, subject: "a"), Self.event(2, subject: "a")], at: Self.here)
        let report = try await carryOut()
        #expect(report.decided == 1 && report.passed == 1 && report.isComplete)
        #expect(DelayedRound.text(of: report).hasPrefix("1 tried again, 1 wait behind others, and follow;"))
    }

    @Test func `that wait behind work of another type are not nothing`() async throws {
        let new = Self.event(2, type: "counterfoil.new.v1", subject: "a")
        await keep([Self.event(1, subject: "a"), new], at: Self.here)
        let report = try await carryOut("counterfoil.new.v1")
        #expect(DelayedRound.text(of: report).hasPrefix("0 tried again, 1 wait behind others;"))
    }

    @Test func `at a partition that refuses are said with its words, others are released`() async throws {
        await keep([Self.event(1, subject: "a"), Self.event(2, subject: "b")], at: Self.here)
        await keep([Self.event(3, subject: "c")], at: Self.there)
        await group.refuse { ($0 as? DelayedEventReleaseV1)?.eventId == "e-1" }
        let report = try await carryOut()
        #expect(report.decided == 1 && report.missed.isEmpty && !report.isComplete)
        #expect(await released == ["e-1", "e-3"], "it is asked no further")
        let failure = #expect(throws: CommandFailure.self) { try report.check("the release") }
        let said = failure?.description ?? ""
        #expect(said.contains("/orders/1") && said.contains("too much in hand"))
        #expect(!said.contains("did not answer"))
    }

    @Test func `at a partition that does not answer are named by it, and it is asked once`() async throws {
        await keep([Self.event(1, subject: "a"), Self.event(2, subject: "b")], at: Self.here)
        await group.silence { $0 is DelayedEventReleaseV1 }
        let report = try await carryOut()
        #expect(report.decided == 0 && report.missed.failures.keys.map(\.self) == [Self.here])
        #expect(await released.count == 1)
    }

    @Test func `at a partition whose answer cannot be read are not taken for unanswered`() async throws {
        await keep([Self.event(1, subject: "a"), Self.event(2, subject: "b")], at: Self.here)
        await group.garble { $0 is DelayedEventReleaseV1 }
        let report = try await carryOut()
        #expect(await released == ["e-1"], "it is asked no further")
        let failure = #expect(throws: CommandFailure.self) { try report.check("the release") }
        #expect(failure?.description == "the release is not complete: /orders/1: the answer is no JSON")
        #expect(failure?.exitCode != CommandFailure.incompleteCode)
    }

    @Test func `end their list with how many there are besides, parked work too`() async throws {
        let work = (0..<Limits.listedRows).map { number in
            var work = Self.work
            work.eventId = "webhook/\(number)"
            return work
        }
        await keep(work + [Self.work, Self.event(1, subject: "a")], at: Self.here)
        let found = [(address: Self.here, reply: work)]
        let lines = try await ListRest(group: group).lines(beside: found, DelayedCommand.List.rest)
        #expect(lines == ["and 2 more at /orders/1"])
    }

    @Test func `are none where nothing is delayed`() async throws {
        #expect(DelayedRound.text(of: try await carryOut()) == "nothing is delayed")
    }
}
