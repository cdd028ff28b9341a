import Contracts
import Domain
import Testing

@testable import AppStore

@Suite struct `the gate to Apple` {
    let now = Timestamp.newYear2026

    /// A gate that paces these two endpoints.
    private func gate(perSecond rate: Double, burst: Int = 1) -> CallLimiter {
        let bucket = TokenBucket(perSecond: rate, burst: burst)
        return CallLimiter(buckets: [.transactionInfo: bucket, .transactionHistory: bucket])
    }

    private func refusal(
        _ gate: inout CallLimiter,
        _ endpoint: Endpoint?,
        after wait: Int64 = 0
    ) -> CallLimiter.Refusal? {
        do throws(CallLimiter.Refusal) {
            _ = try gate.acquire(endpoint, now: now.advanced(by: wait))
            return nil
        } catch {
            return error
        }
    }

    @Test func `lets so many calls be under way and no more`() throws {
        var gate = CallLimiter()
        var permits: [CallLimiter.Permit] = []
        for _ in 1...CallLimiter.permits { permits.append(try gate.acquire(nil, now: now)) }
        #expect(refusal(&gate, nil) == .busy(until: now.advanced(by: 1_000)))
        gate.release(permits[0], .responded, now: now)
        #expect(refusal(&gate, nil) == nil)
        #expect(gate.inFlight == CallLimiter.permits)
    }

    @Test func `refuses without a trace`() {
        var gate = gate(perSecond: 0.1)
        #expect(refusal(&gate, .transactionInfo) == nil)
        let before = gate.inFlight
        let limited = CallLimiter.Refusal.rateLimited(until: now.advanced(by: 10_000))
        #expect(refusal(&gate, .transactionInfo) == limited)
        #expect(refusal(&gate, .transactionInfo) == limited)
        #expect(gate.inFlight == before)
    }

    @Test func `does not lose its one trial to a call that finds no token`() throws {
        var gate = gate(perSecond: 0.1)
        _ = try gate.acquire(.transactionInfo, now: now)
        for _ in 1...5 { gate.release(try gate.acquire(nil, now: now), .failed, now: now) }
        let noToken = refusal(&gate, .transactionInfo, after: 1_000)
        #expect(noToken == .rateLimited(until: now.advanced(by: 10_000)))
        let later = now.advanced(by: 1_000)
        gate.release(try gate.acquire(nil, now: later), .responded, now: later)
        #expect(gate.breakers[.transactionInfo]?.state == .closed(failures: 0))
    }

    @Test func `paces each endpoint by itself`() {
        var gate = gate(perSecond: 0.1)
        #expect(refusal(&gate, .transactionInfo) == nil)
        #expect(refusal(&gate, .transactionInfo) != nil)
        #expect(refusal(&gate, .transactionHistory) == nil)
        #expect(refusal(&gate, .orderLookUp) == nil)
    }

    @Test func `closes an endpoint for which Apple asks for a pause, and no other`() throws {
        var gate = gate(perSecond: 50, burst: 50)
        let until = now.advanced(by: 60_000)
        let permit = try gate.acquire(.transactionInfo, now: now)
        gate.release(permit, .responded, blockedUntil: until, now: now)
        #expect(refusal(&gate, .transactionInfo) == .rateLimited(until: until))
        #expect(refusal(&gate, .transactionHistory) == nil)
        #expect(gate.breakers[.transactionInfo]?.state == .closed(failures: 0))
    }

    @Test func `says of each endpoint until when it is closed, by its own reason`() throws {
        var gate = gate(perSecond: 50, burst: 50)
        let until = now.advanced(by: 3_600_000)
        let permit = try gate.acquire(.transactionInfo, now: now)
        gate.release(permit, .responded, blockedUntil: until, now: now)
        for _ in 1...5 {
            gate.release(try gate.acquire(.transactionHistory, now: now), .failed, now: now)
        }
        #expect(gate.closedUntil(.transactionInfo, now: now) == until)
        #expect(gate.closedUntil(.transactionHistory, now: now) == now.advanced(by: 1_000))
        #expect(gate.closedUntil(.orderLookUp, now: now) == nil)
    }

    @Test func `says how long the circuit stays open`() throws {
        var gate = CallLimiter()
        for _ in 1...5 { gate.release(try gate.acquire(nil, now: now), .failed, now: now) }
        #expect(refusal(&gate, nil) == .circuitOpen(until: now.advanced(by: 1_000)))
    }
}
