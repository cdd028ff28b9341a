/// How many messages handlers have handled, and how long that took them.
struct HandledCount: Equatable {
    private(set) var messages = 0
    /// Their handlers' own, without reading the message and without the commit.
    private(set) var time = Duration.zero

    init() {}

    init(_ messages: Int, in time: Duration) { (self.messages, self.time) = (messages, time) }

    var microseconds: Int { Int(time / .microseconds(1)) }

    static func + (one: HandledCount, other: HandledCount) -> HandledCount {
        HandledCount(one.messages + other.messages, in: one.time + other.time)
    }

    static func += (sum: inout HandledCount, more: HandledCount) { sum = sum + more }
}
