import Testing

@testable import Delivery

@Suite struct `a watch over the replicas of all hosts` {
    private static let here = GroupMember("orders", host: "10.0.0.1", replica: 1)
    private static let there = GroupMember("orders", host: "10.0.0.2", replica: 1)

    private var watch = MemberWatch()

    private func sign(_ member: GroupMember, counter: Int64) -> MemberSign {
        MemberSign(member, counter: counter, word: MemberWord(key: member.host, admits: []))
    }

    @Test mutating func `counts one that was never seen before`() {
        #expect(watch.living([sign(Self.there, counter: 7)], at: 50).map(\.member) == [Self.there])
    }

    @Test mutating func `counts one whose counter stands still for 3 s no more`() {
        let silent = sign(Self.there, counter: 7)
        _ = watch.living([sign(Self.here, counter: 1), silent], at: 0)
        let before = watch.living([sign(Self.here, counter: 2), silent], at: 2_999)
        #expect(before.map(\.member) == [Self.here, Self.there])
        let after = watch.living([sign(Self.here, counter: 3), silent], at: 3_000)
        #expect(after.map(\.member) == [Self.here])
    }

    @Test mutating func `counts it again when its counter rises`() {
        let silent = sign(Self.there, counter: 7)
        _ = watch.living([silent], at: 0)
        #expect(watch.living([silent], at: 9_000).isEmpty)
        #expect(watch.living([sign(Self.there, counter: 8)], at: 9_100).map(\.member) == [Self.there])
    }

    @Test mutating func `counts one again whose row was struck and came back with the same counter`() {
        let sign = sign(Self.there, counter: 1)
        _ = watch.living([sign], at: 0)
        #expect(watch.living([], at: 5_000).isEmpty)
        #expect(watch.living([sign], at: 5_500) == [sign])
    }
}
