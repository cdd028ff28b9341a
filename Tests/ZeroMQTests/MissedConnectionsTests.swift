import Testing

@testable import ZeroMQ

@Suite struct MissedConnectionsTests {
    private var missed = MissedConnections()

    @Test mutating func `a dealer without connection is due after 5 s, and again after 5 s`() {
        missed.begin(1, hasSeveralKeys: false, at: 1_000)
        #expect(missed.nextDue == 6_000)
        #expect(missed.due(at: 5_999).isEmpty)
        #expect(missed.due(at: 6_000) == [1])
        missed.begin(1, hasSeveralKeys: false, at: 6_000)
        #expect(missed.due(at: 10_999).isEmpty)
        #expect(missed.due(at: 11_000) == [1])
    }

    @Test mutating func `a dealer of a host with two keys is due after 3 s`() {
        missed.begin(1, hasSeveralKeys: true, at: 0)
        #expect(missed.due(at: 2_999).isEmpty)
        #expect(missed.due(at: 3_000) == [1])
    }

    @Test mutating func `what is seen of a dealer without connection does not prolong its time`() {
        missed.begin(1, hasSeveralKeys: false, at: 0)
        missed.note(1, isConnected: false, hasSeveralKeys: false, at: 4_000)
        #expect(missed.nextDue == 5_000)
    }

    @Test mutating func `a connected dealer is not due, and its time begins when it loses the connection`() {
        missed.begin(1, hasSeveralKeys: false, at: 0)
        missed.begin(2, hasSeveralKeys: false, at: 100)
        missed.note(1, isConnected: true, hasSeveralKeys: false, at: 200)
        #expect(missed.due(at: 9_000) == [2])
        missed.note(1, isConnected: false, hasSeveralKeys: false, at: 9_000)
        #expect(missed.due(at: 14_000) == [1, 2])
        missed.forget(1)
        missed.forget(2)
        #expect(missed.isEmpty)
        #expect(missed.nextDue == nil)
    }
}
