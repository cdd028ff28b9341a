/// The life cycle of one replica: pure; times are monotonic milliseconds.
///
/// | | begun | answered | ended | tick | start | restart | stop |
/// |---|---|---|---|---|---|---|---|
/// | due | running | – | due, later | **start** when it is time | – | – | over |
/// | running | – | well | due | **beat** or **kill** | – | ending, again: **terminate** | ending: **terminate** |
/// | ending | – | – | due if again, else over | **kill** when it takes too long | again | again | not again |
/// | over | – | – | – | – | due | – | – |
/// | refused | – | – | – | – | due | due | over |
///
/// `suspended` and `resumed` say that a signal stopped the process, and let it go on. Suspended for
/// `Liveness.stopPatience`, a process that runs or ends is killed; elsewhere there is no process.
///
/// An end with `RestartPolicy.refusal` that nobody requested leads from due and running to refused.
struct ReplicaMachine: Equatable {
    /// Timeout of a graceful shutdown, ms.
    static let gracePeriod: Int64 = 10_000

    enum Phase: Equatable {
        case due(at: Int64)
        case running(since: Int64, nextBeat: Int64)
        case ending(killAt: Int64, again: Bool)
        case over
        /// Its command line or configuration is wrong; another start would fail too.
        case refused
    }

    enum Event: Equatable {
        case begun, answered, suspended, resumed, tick, start, restart, stop
        case ended(ProcessEnd)
    }

    enum Directive: Equatable {
        case start, beat, terminate
        case kill(reason: String)
    }

    private(set) var phase: Phase
    private(set) var liveness = Liveness()
    private var policy = RestartPolicy()

    init(now: Int64) { phase = .due(at: now) }

    var isWell: Bool { if case .running = phase { liveness.hasAnswered } else { false } }

    var state: String {
        switch phase {
        case .due: "waits for its start"
        case .running: liveness.hasAnswered ? "well" : "starting"
        case .ending: "ending"
        case .over: "over"
        case .refused: "refused"
        }
    }

    var nextTick: Int64? {
        switch phase {
        case .due(let time): time
        case .running(_, let nextBeat): min(nextBeat, liveness.hungAt ?? nextBeat)
        case .ending(let killAt, _): killAt
        case .over, .refused: nil
        }
    }

    mutating func step(_ event: Event, now: Int64) -> [Directive] {
        switch (phase, event) {
        case (.due, .begun):
            liveness = Liveness()
            phase = .running(since: now, nextBeat: now)
        case (.due, .ended(let end)): finish(end, ranFor: 0, now)
        case (.due(let time), .tick): return now >= time ? [.start] : []

        case (.running, .answered): liveness.answered()
        case (.running, .suspended): liveness.stopped(at: now)
        case (.running, .resumed): liveness.continued()
        case (.running(let since, _), .ended(let end)): finish(end, ranFor: now - since, now)
        case (.running(let since, let nextBeat), .tick):
            return (liveness.hungAt ?? .max) <= now
                ? killSuspended() : now >= nextBeat ? beat(since: since, now) : []
        case (.running, .stop), (.running, .restart):
            phase = .ending(killAt: now + Self.gracePeriod, again: event == .restart)
            return [.terminate]

        case (.ending(_, let again), .ended): phase = again ? .due(at: now) : .over
        case (.ending(let killAt, _), .start), (.ending(let killAt, _), .restart):
            phase = .ending(killAt: killAt, again: true)
        case (.ending(let killAt, _), .stop): phase = .ending(killAt: killAt, again: false)
        case (.ending(let killAt, let again), .suspended):
            phase = .ending(killAt: min(killAt, now + Liveness.stopPatience), again: again)
        case (.ending(let killAt, let again), .tick):
            guard now >= killAt else { return [] }
            phase = .ending(killAt: .max, again: again)
            return [.kill(reason: "took more than \(Self.gracePeriod / 1_000) s to end")]

        case (.due, .stop), (.refused, .stop): phase = .over
        case (.over, .start), (.refused, .start), (.refused, .restart): phase = .due(at: now)

        case (.due, .answered), (.due, .start), (.due, .restart), (.running, .begun), (.running, .start),
            (.ending, .begun), (.ending, .answered), (.ending, .resumed), (.due, .suspended),
            (.due, .resumed),
            (.over, .begun), (.over, .answered), (.over, .suspended), (.over, .resumed), (.over, .ended),
            (.over, .tick), (.over, .restart), (.over, .stop), (.refused, .begun), (.refused, .answered),
            (.refused, .suspended), (.refused, .resumed), (.refused, .ended), (.refused, .tick):
            break
        }
        return []
    }

    private mutating func beat(since: Int64, _ now: Int64) -> [Directive] {
        phase = .running(since: since, nextBeat: now + Liveness.interval)
        if liveness.isLost { return [.kill(reason: "did not answer \(liveness.unanswered) heartbeats")] }
        liveness.asked()
        return [.beat]
    }

    private mutating func killSuspended() -> [Directive] {
        liveness.continued()
        return [.kill(reason: "was stopped for \(Liveness.stopPatience) ms")]
    }

    private mutating func finish(_ end: ProcessEnd, ranFor duration: Int64, _ now: Int64) {
        let delay = policy.delay(after: end, ranFor: duration)
        phase = end == RestartPolicy.refusal ? .refused : .due(at: now + delay)
    }
}
