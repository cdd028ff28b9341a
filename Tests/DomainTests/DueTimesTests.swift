import Contracts
import Domain
import Testing

@Suite struct `a time that was made as now and a pause` {
    private static let now = Timestamp(milliseconds: 1_760_000_000_000)
    private static let times = DueTimes(at: now, longestPause: 3_600_000)

    @Test(
        arguments: [
            (-86_400_000, true), (0, true), (1, false), (3_600_000, false), (3_600_001, true),
            (30 * 86_400_000, true),
        ] as [(Int64, Bool)]
    )
    func `is due when it has come, or lies further ahead than the longest pause`(ahead: Int64, isDue: Bool) {
        #expect(Self.times.contains(Self.now.advanced(by: ahead)) == isDue)
    }

    @Test func `is next when it is the first that is not due`() {
        let times = [-1, 5, 3, 9_000_000].map { Self.now.advanced(by: $0) }
        #expect(Self.times.next(of: times) == Self.now.advanced(by: 3))
        #expect(Self.times.next(of: []) == nil)
    }

    @Test func `is taken along when it comes within minutes, and no other is put off by that`() {
        let soon = Self.times.including(next: 60_000)
        #expect(soon.contains(Self.now.advanced(by: 60_000)))
        #expect(!soon.contains(Self.now.advanced(by: 60_001)))
        #expect(soon.contains(Self.now.advanced(by: 3_600_001)))
    }
}
