import Database
import Testing

@testable import PostgreSQL

@Suite(.timeLimit(.minutes(2))) struct `a process that is asked to end` {
    private static let hour = 3_600_000

    @Test func `waits no longer for what has had its time`() throws {
        let ending = LogEnding()
        let pulse = Pulse(interval: 10, ending: ending, patience: 0)
        pulse.beat = { if $0 { ending.begin() } }
        pulse.beginCall()
        let fault = try #require(throws: SessionFault.self) {
            try pulse.pause(Self.hour, until: Deadline(in: Self.hour))
        }
        guard case .silent = fault else { return #expect(Bool(false), "\(fault)") }
        #expect(pulse.isOver)
        pulse.beginCall()
        #expect(throws: SessionFault.self, "nor for anything else") {
            try pulse.pause(0, until: Deadline(in: 0))
        }
    }

    @Test func `waits for an answer that comes soon`() throws {
        let ending = LogEnding()
        ending.begin()
        let pulse = Pulse(interval: 10, ending: ending, patience: Self.hour)
        pulse.beginCall()
        try pulse.pause(20, until: Deadline(in: Self.hour))
        #expect(!pulse.isOver)
    }

    /// Nobody listens at port 1: without the end each call would take an hour.
    @Test func `does not say what became of an entry, and does not find out`() throws {
        var limits = LogLimits()
        (limits.append, limits.call, limits.renewal) = (Self.hour, Self.hour, Self.hour)
        (limits.connect, limits.attempt, limits.ending) = (Self.hour, Self.hour, 0)
        let ending = LogEnding()
        let connection = LogConnection(
            try ServerLogin(LogAddress("postgresql://counterfoil@127.0.0.1:1/none"), environment: [:]),
            limits: limits,
            ending: ending
        )
        ending.begin()
        let log = PostgreSQLLog(connection, partition: "orders/0")
        let outcome = try log.append(LogEntry(claimAfter: .empty, claimant: [1]))
        guard case .unknown = outcome else { return #expect(Bool(false), "\(outcome)") }
        let fault = try #require(throws: LogFault.self) { try log.head() }
        guard case .unreachable = fault else { return #expect(Bool(false), "\(fault)") }
        let renewal = try GroupRecords(connection).renew("orders/0", at: .empty, endpoint: "")
        guard case .unknown = renewal else { return #expect(Bool(false), "\(renewal)") }
    }
}
