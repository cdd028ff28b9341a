import Contracts
import Domain
import TestKit
import Testing

@testable import AppStore

@Suite struct `a circuit breaker` {
    typealias Outcome = CircuitBreaker.Outcome
    let start = Timestamp.newYear2026

    /// Records the outcome of a call that starts now, if one is admitted.
    private func call(_ breaker: inout CircuitBreaker, _ outcome: Outcome, at moment: Timestamp) {
        if let generation = generation(&breaker, at: moment) {
            breaker.record(outcome, generation: generation, now: moment)
        }
    }

    private func generation(_ breaker: inout CircuitBreaker, at moment: Timestamp) -> Int? {
        guard case .admitted(let generation) = breaker.ask(now: moment) else { return nil }
        return generation
    }

    /// A breaker whose circuit has been open since `start`.
    private func opened() -> CircuitBreaker {
        var breaker = CircuitBreaker()
        for _ in 1...CircuitBreaker.failureLimit {
            call(&breaker, .failed, at: start)
        }
        return breaker
    }

    @Test func `opens at the fifth failure in a row`() {
        var breaker = CircuitBreaker()
        for failures in 1...4 {
            breaker.record(.failed, generation: 0, now: start)
            #expect(breaker.state == .closed(failures: failures))
        }
        breaker.record(.failed, generation: 0, now: start)
        #expect(breaker.state == .open(until: start.advanced(by: 1_000)))
    }

    @Test func `counts from the beginning after an answer, and does not count who gave up`() {
        var breaker = CircuitBreaker()
        for _ in 1...4 { breaker.record(.failed, generation: 0, now: start) }
        breaker.record(.cancelled, generation: 0, now: start)
        #expect(breaker.state == .closed(failures: 4))
        breaker.record(.responded, generation: 0, now: start)
        #expect(breaker.state == .closed(failures: 0))
    }

    @Test func `refuses while it is open, and says until when`() {
        var breaker = opened()
        for wait in [0, 500, 999] as [Int64] {
            let early = breaker.ask(now: start.advanced(by: wait))
            #expect(early == .refused(until: start.advanced(by: 1_000)))
        }
    }

    @Test func `lets one call try when it is time, and all when that one is answered`() {
        var breaker = opened()
        let later = start.advanced(by: 1_000)
        let trial = generation(&breaker, at: later)
        #expect(trial != nil)
        #expect(breaker.ask(now: later) == .refused(until: later.advanced(by: 500)))
        breaker.record(.responded, generation: trial ?? -1, now: later)
        #expect(breaker.state == .closed(failures: 0))
        #expect(generation(&breaker, at: later) != nil)
    }

    @Test func `stays open twice as long after each trial that fails, to eight seconds`() {
        var breaker = opened()
        var now = start
        var pauses: [Int64] = []
        for _ in 1...5 {
            guard case .open(let until) = breaker.state else { return }
            pauses.append(until.milliseconds - now.milliseconds)
            now = until
            call(&breaker, .failed, at: now)
        }
        #expect(pauses == [1_000, 2_000, 4_000, 8_000, 8_000])
    }

    @Test func `begins with a short pause again after an answer`() {
        var breaker = opened()
        let later = start.advanced(by: 1_000)
        call(&breaker, .failed, at: later)
        let muchLater = start.advanced(by: 60_000)
        call(&breaker, .responded, at: muchLater)
        for _ in 1...5 {
            call(&breaker, .failed, at: muchLater)
        }
        #expect(breaker.state == .open(until: muchLater.advanced(by: 1_000)))
    }

    @Test func `lets the next call try when the one that tried gave up`() {
        var breaker = opened()
        let later = start.advanced(by: 1_000)
        call(&breaker, .cancelled, at: later)
        #expect(generation(&breaker, at: later) != nil)
    }

    @Test(arguments: Outcome.allCases)
    func `learns nothing from a call that began before the circuit opened`(outcome: Outcome) {
        var breaker = opened()
        let open = breaker
        breaker.record(outcome, generation: 0, now: start)
        #expect(breaker == open)
        _ = breaker.ask(now: start.advanced(by: 1_000))
        let trial = breaker
        breaker.record(outcome, generation: 0, now: start.advanced(by: 1_000))
        #expect(breaker == trial)
    }

    @Test func `does not stay open for a day when the clock is put back by one`() {
        var breaker = opened()
        #expect(generation(&breaker, at: start.advanced(by: -86_400_000)) != nil)
    }

    @Test(arguments: 1...20)
    func `never lets more than one call try, nor refuses for more than eight seconds`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var breaker = CircuitBreaker()
        var now = start
        var inFlight: [Int] = []
        for _ in 1...2_000 {
            now = now.advanced(by: Int64.random(in: 0...400, using: &random))
            if Bool.random(using: &random) {
                switch breaker.ask(now: now) {
                case .admitted(let generation):
                    if breaker.state == .halfOpen { #expect(!inFlight.contains(generation)) }
                    inFlight.append(generation)
                case .refused(let until):
                    #expect(now < until && until <= now.advanced(by: CircuitBreaker.backoff.longest))
                }
            } else if !inFlight.isEmpty {
                let generation = inFlight.remove(at: Int.random(in: 0..<inFlight.count, using: &random))
                let outcome = Outcome.allCases.randomElement(using: &random) ?? .failed
                breaker.record(outcome, generation: generation, now: now)
            }
        }
    }
}
