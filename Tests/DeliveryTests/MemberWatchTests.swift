import Testing

@testable import Delivery

@Suite struct `a watch over the replicas of all hosts` {
    private static let here = GroupMember(host: "10.0.0.1", replica: 1)
    private static let there = GroupMember(host: "10.0.0.2", replica: 1)

    private var watch = MemberWatch()

    @Test mutating func `counts one that was never seen before`() {
        #expect(watch.living([MemberSign(Self.there, counter: 7)], at: 50) == [Self.there])
    }

    @Test mutating func `counts one whose counter stands still for 3 s no more`() {
        let silent = MemberSign(Self.there, counter: 7)
        _ = watch.living([MemberSign(Self.here, counter: 1), silent], at: 0)
        let before = watch.living([MemberSign(Self.here, counter: 2), silent], at: 2_999)
        #expect(before == [Self.here, Self.there])
        #expect(watch.living([MemberSign(Self.here, counter: 3), silent], at: 3_000) == [Self.here])
    }

    @Test mutating func `counts it again when its counter rises`() {
        let silent = MemberSign(Self.there, counter: 7)
        _ = watch.living([silent], at: 0)
        #expect(watch.living([silent], at: 9_000).isEmpty)
        #expect(watch.living([MemberSign(Self.there, counter: 8)], at: 9_100) == [Self.there])
    }

    @Test mutating func `counts one again whose row was struck and came back with the same counter`() {
        let sign = MemberSign(Self.there, counter: 1)
        _ = watch.living([sign], at: 0)
        #expect(watch.living([], at: 5_000).isEmpty)
        #expect(watch.living([sign], at: 5_500) == [Self.there])
    }
}
