/// Which replicas live: those whose counters have changed in the last 3 s of the watcher's own clock.
///
/// It decides only how many partitions a replica should own. One that was never seen before counts as living, so that a
/// watcher that starts takes no more than its share.
struct MemberWatch: Sendable {
    static let silenceMilliseconds = OwnerLease.silenceMilliseconds

    private var seen: [GroupMember: (counter: Int64, since: Int64)] = [:]

    /// Those of `signs` that live, at a time of a clock that only moves forward, in ms.
    mutating func living(_ signs: [MemberSign], at uptime: Int64) -> [MemberSign] {
        var next: [GroupMember: (counter: Int64, since: Int64)] = [:]
        for sign in signs {
            let former = seen[sign.member]
            let since = former?.counter == sign.counter ? former?.since : nil
            next[sign.member] = (sign.counter, since ?? uptime)
        }
        seen = next
        return signs.filter { sign in
            next[sign.member].map { uptime - $0.since < Self.silenceMilliseconds } ?? false
        }
    }
}
