import Testing

@testable import Database

@Suite struct `the entries that an owner holds` {
    private static func entry(_ position: Int64, epoch: Int64 = 2, bytes: Int = 10) -> LogEntry {
        let kind: LogEntryKind = position == 5 ? .claim : .rows
        return LogEntry(
            position: position,
            epoch: epoch,
            formerEpoch: position == 5 ? 1 : nil,
            kind: kind,
            bytes: [UInt8](repeating: UInt8(truncatingIfNeeded: position), count: bytes)
        )
    }

    struct Case: Sendable {
        let end: LogHead
        let missing: [Int64]?
    }

    /// Entries 5 (a claim of epoch 2) to 8 are held.
    static let cases = [
        Case(end: LogHead(position: 8, epoch: 2), missing: []),
        Case(end: LogHead(position: 7, epoch: 2), missing: [8]),
        Case(end: LogHead(position: 5, epoch: 2), missing: [6, 7, 8]),
        Case(end: LogHead(position: 4, epoch: 1), missing: [5, 6, 7, 8]),
        Case(end: LogHead(position: 3, epoch: 1), missing: nil),
        Case(end: LogHead(position: 0, epoch: 0), missing: nil),
        Case(end: LogHead(position: 4, epoch: 2), missing: nil),
        Case(end: LogHead(position: 7, epoch: 3), missing: nil),
    ]

    @Test(arguments: cases) func `mend a log that has lost them, and no other`(of: Case) {
        var held = HeldEntries()
        for position in 5...8 { held.hold(Self.entry(Int64(position))) }
        #expect(held.missing(after: of.end)?.map(\.position) == of.missing)
    }

    @Test func `are none before the first one`() {
        #expect(HeldEntries().missing(after: .empty) == nil)
    }

    @Test func `are bounded, and the newest is among them`() {
        var held = HeldEntries(maximumBytes: 100)
        for position in 5...200 {
            held.hold(Self.entry(Int64(position)))
            let before = LogHead(position: Int64(position) - 1, epoch: 2)
            if position > 5 { #expect(held.missing(after: before)?.map(\.position) == [Int64(position)]) }
        }
        #expect(held.missing(after: LogHead(position: 180, epoch: 2)) == nil)
        held.hold(Self.entry(201, bytes: 1_000))
        #expect(held.missing(after: LogHead(position: 200, epoch: 2))?.map(\.position) == [201])
        #expect(held.missing(after: LogHead(position: 199, epoch: 2)) == nil)
    }

    @Test func `begin anew where one does not follow the last`() {
        var held = HeldEntries()
        held.hold(Self.entry(6))
        held.hold(Self.entry(9))
        #expect(held.missing(after: LogHead(position: 6, epoch: 2)) == nil)
        #expect(held.missing(after: LogHead(position: 8, epoch: 2))?.map(\.position) == [9])
    }
}
