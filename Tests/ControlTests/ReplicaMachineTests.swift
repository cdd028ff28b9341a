import Glibc
import Testing

@testable import Control

@Suite struct `what becomes of a replica` {
    /// A replica that runs since 0 and was asked once, and then saw this.
    private static func running(_ events: (ReplicaMachine.Event, now: Int64)...) -> ReplicaMachine {
        ReplicaMachine(having: [(.begun, now: 0), (.tick, now: 0), (.answered, now: 1)] + events)
    }

    @Test func `it starts at once, is asked at once, and is well when it has answered`() {
        var machine = ReplicaMachine(now: 5)
        #expect(machine.step(.tick, now: 4) == [])
        #expect(machine.step(.tick, now: 5) == [.start])
        #expect(machine.step(.begun, now: 5) == [])
        #expect(machine.step(.tick, now: 5) == [.beat])
        #expect(!machine.isWell)
        #expect(machine.step(.answered, now: 6) == [])
        #expect(machine.isWell)
        #expect(machine.step(.tick, now: 1_004) == [])
        #expect(machine.step(.tick, now: 1_005) == [.beat])
    }

    @Test func `killed with -9 it starts again in the same moment`() {
        var machine = Self.running()
        #expect(machine.step(.ended(.signaled(SIGKILL)), now: 10) == [])
        #expect(machine.step(.tick, now: 10) == [.start])
    }

    @Test func `ending right after its start it waits before the next one`() {
        var machine = Self.running((.ended(.exited(1)), now: 10))
        #expect(machine.step(.tick, now: 109) == [])
        #expect(machine.step(.tick, now: 110) == [.start])
    }

    @Test func `silent for five seconds it is killed, and starts again when it has ended`() {
        var machine = Self.running()
        for second in 1...5 { #expect(machine.step(.tick, now: Int64(second) * 1_000) == [.beat]) }
        #expect(machine.step(.tick, now: 6_000) == [.kill(reason: "did not answer 5 heartbeats")])
        _ = machine.step(.ended(.signaled(SIGKILL)), now: 6_001)
        #expect(machine.step(.tick, now: 6_001) == [.start])
    }

    @Test func `stopped by a signal for half a second it is killed, without a wait for its heartbeats`() {
        var machine = Self.running()
        #expect(machine.step(.suspended, now: 100) == [])
        #expect(machine.nextTick == 600)
        #expect(machine.step(.suspended, now: 300) == [])
        #expect(machine.step(.tick, now: 599) == [])
        #expect(machine.step(.tick, now: 600) == [.kill(reason: "was stopped for 500 ms")])
        #expect(machine.step(.tick, now: 601) == [], "once is enough")
        _ = machine.step(.ended(.signaled(SIGKILL)), now: 610)
        #expect(machine.step(.tick, now: 610) == [.start])
    }

    @Test func `stopped by a signal and continued in time it is left alone`() {
        var machine = Self.running((.suspended, now: 100))
        #expect(machine.step(.resumed, now: 599) == [])
        #expect(machine.step(.tick, now: 999) == [])
        #expect(machine.step(.tick, now: 1_000) == [.beat])
        #expect(machine.isWell)
    }

    @Test func `stopped by a signal while it ends it is killed after half a second too`() {
        var machine = Self.running((.restart, now: 10), (.suspended, now: 100), (.resumed, now: 200))
        #expect(machine.step(.tick, now: 599) == [])
        #expect(machine.step(.tick, now: 600).count == 1)
        _ = machine.step(.ended(.signaled(SIGKILL)), now: 610)
        #expect(machine.step(.tick, now: 610) == [.start])
    }

    @Test func `a supervisor that was stopped itself for a minute kills nobody`() {
        var machine = Self.running()
        #expect(machine.step(.tick, now: 1_000) == [.beat])
        #expect(machine.step(.tick, now: 61_000) == [.beat])
        _ = machine.step(.answered, now: 61_001)
        #expect(machine.isWell)
    }

    @Test func `asked to stop it ends politely, or is killed after ten seconds, and stays away`() {
        var machine = Self.running()
        #expect(machine.step(.stop, now: 10) == [.terminate])
        #expect(machine.step(.tick, now: 10_009) == [])
        #expect(machine.step(.tick, now: 10_010) == [.kill(reason: "took more than 10 s to end")])
        #expect(machine.step(.tick, now: 20_000) == [])
        _ = machine.step(.ended(.signaled(SIGKILL)), now: 20_001)
        #expect(machine.phase == .over)
        #expect(machine.step(.tick, now: 30_000) == [])
    }

    @Test func `restarted it ends politely and comes back`() {
        var machine = Self.running()
        #expect(machine.step(.restart, now: 10) == [.terminate])
        _ = machine.step(.ended(.exited(0)), now: 20)
        #expect(machine.step(.tick, now: 20) == [.start])
    }

    @Test func `wanted again while it ends, it comes back`() {
        var machine = Self.running((.stop, now: 10))
        #expect(machine.step(.start, now: 11) == [])
        _ = machine.step(.ended(.exited(0)), now: 20)
        #expect(machine.step(.tick, now: 20) == [.start])
    }

    static let phases = [
        ReplicaMachine(now: 0), running(), running((.stop, now: 2)), running((.restart, now: 2)),
        ReplicaMachine(having: [(.stop, now: 2)]),
    ]

    @Test(arguments: 0..<phases.count, [ReplicaMachine.Event.start, .restart, .stop])
    func `the same wish twice is the same wish once`(phase: Int, event: ReplicaMachine.Event) {
        var machine = Self.phases[phase]
        _ = machine.step(event, now: 3)
        let once = machine.phase
        #expect(machine.step(event, now: 3) == [])
        #expect(machine.phase == once)
    }
}

extension ReplicaMachine {
    /// A replica since 0 that has seen this.
    init(having events: [(Event, now: Int64)]) {
        self.init(now: 0)
        for (event, now) in events { _ = step(event, now: now) }
    }
}

@Suite struct `when a program is started again` {
    @Test func `an end after a second or more brings no delay and forgets short runs`() {
        var policy = RestartPolicy()
        #expect(policy.delay(after: .exited(1), ranFor: 999) == 100)
        #expect(policy.delay(after: .exited(1), ranFor: 1_000) == 0)
        #expect(policy.delay(after: .exited(1), ranFor: 0) == 100)
    }

    @Test func `failing starts are delayed twice as long each time, up to five seconds`() {
        var policy = RestartPolicy()
        let delays = (0..<20).map { _ in policy.delay(after: .neverBegan(ENOENT), ranFor: 0) }
        #expect(delays.prefix(7) == [100, 200, 400, 800, 1_600, 3_200, 5_000])
        #expect(delays.dropFirst(7).allSatisfy { $0 == 5_000 })
    }

    @Test func `a storm of kills never brings a delay`() {
        var policy = RestartPolicy()
        #expect((0..<1_000).allSatisfy { _ in policy.delay(after: .signaled(SIGKILL), ranFor: 0) == 0 })
        #expect(policy.delay(after: .signaled(SIGSEGV), ranFor: 0) == 100)
    }

    @Test func `what waitpid writes is understood`() {
        #expect(ProcessEnd(waitStatus: 0) == .exited(0))
        #expect(ProcessEnd(waitStatus: 2 << 8) == .exited(2))
        #expect(ProcessEnd(waitStatus: SIGKILL) == .signaled(SIGKILL))
        #expect(ProcessEnd(waitStatus: SIGSEGV | 0x80) == .signaled(SIGSEGV))
    }
}

@Suite struct `whether a program still answers` {
    @Test func `before its first answer it has thirty beats, afterwards five`() {
        var liveness = Liveness()
        for _ in 0..<29 { liveness.asked() }
        #expect(!liveness.isLost)
        liveness.asked()
        #expect(liveness.isLost)
        liveness.answered()
        for _ in 0..<4 { liveness.asked() }
        #expect(!liveness.isLost)
        liveness.asked()
        #expect(liveness.isLost)
    }
}

@Suite struct `scaling` {
    @Test(arguments: [
        (existing: [0], wanted: 3, start: [1, 2], end: []),
        (existing: [0, 1, 2], wanted: 1, start: [], end: [2, 1]),
        (existing: [0, 1], wanted: 2, start: [], end: []),
        (existing: [1, 4], wanted: 2, start: [0], end: [4]),
        (existing: [], wanted: 1, start: [0], end: []),
    ])
    func `replicas are numbered without gaps and the highest end first`(
        existing: [Int],
        wanted: Int,
        start: [Int],
        end: [Int]
    ) {
        let plan = ScalePlan(existing: existing, wanted: wanted)
        #expect(plan.start == start)
        #expect(plan.end == end)
    }
}
