import Contracts
import Domain
import TestKit
import Testing

@testable import Control

@Suite struct `many dead letters` {
    private static let here = PartitionAddress(.orders, 1)
    private static let there = PartitionAddress(.receipts, 0)

    private let group = ScriptedGroup()

    private static func letter(_ number: Int, type: String = "counterfoil.claim.held.v1") -> DeadLetter {
        DeadLetter(
            letterId: "letter-\(number)",
            type: type,
            subject: "s",
            eventId: "e-\(number)",
            reason: "unknown type",
            time: Timestamp(milliseconds: Int64(number))
        )
    }

    private func carryOut(
        _ type: String? = nil
    ) async throws -> OldestFirst<DeadLettersListV1, DeadLetter>.Report {
        try await DeadLetterRound(group: group, type: type).carryOut()
    }

    @Test func `are retried the oldest first, whichever partition has them`() async throws {
        await group.keep([Self.letter(1), Self.letter(3)], at: Self.here)
        await group.keep([Self.letter(2)], at: Self.there)
        let report = try await carryOut()
        #expect(report.decided == 3 && report.missed.isEmpty)
        #expect(DeadLetterRound.text(of: 3).hasPrefix("3 dead letters handled again"))
        let asked = await group.questions(DeadLetterRetryV1.self)
        #expect(asked.map(\.letterId) == ["letter-1", "letter-2", "letter-3"])
        #expect(try await carryOut().decided == 0)
    }

    @Test func `are retried of one type alone`() async throws {
        await group.keep([Self.letter(1), Self.letter(2, type: "counterfoil.new.v1")], at: Self.here)
        #expect(try await carryOut("counterfoil.new.v1").decided == 1)
        #expect(await group.questions(DeadLetterRetryV1.self).map(\.letterId) == ["letter-2"])
    }

    @Test func `are retried as far as they are still there, and whoever does not answer is named`()
        async throws
    {
        await group.keep([Self.letter(1), Self.letter(2)], at: Self.here)
        await group.take("letter-1")
        #expect(try await carryOut().decided == 1)
        await group.keep([Self.letter(3), Self.letter(4)], at: Self.here)
        await group.silence { $0 is DeadLetterRetryV1 }
        let report = try await carryOut()
        #expect(report.decided == 0 && report.missed.failures.keys.map(\.self) == [Self.here])
        #expect(await group.questions(DeadLetterRetryV1.self).count == 3, "a silent partition is asked once")
    }

    @Test func `end their list with how many there are besides`() async throws {
        let letters = (0..<Limits.listedRows).map { Self.letter($0) }
        await group.keep(letters, of: letters.count + 7, at: Self.here)
        let rest = ListRest(group: group)
        func lines(_ found: [(address: PartitionAddress, reply: [DeadLetter])]) async throws -> [String] {
            try await rest.lines(beside: found) { $0.deadLetters - $1.count }
        }
        #expect(try await lines([(Self.here, letters), (Self.there, [])]) == ["and 7 more at /orders/1"])
        #expect(try await lines([(Self.there, letters)]).isEmpty)
    }
}
