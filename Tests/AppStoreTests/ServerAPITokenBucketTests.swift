import Contracts
import Domain
import TestKit
import Testing

@testable import AppStore

@Suite struct `a token bucket` {
    let start = Timestamp.newYear2026

    /// Takes a token at `now` and gives the moment at which the call starts, in ms from the beginning.
    private func take(_ bucket: inout TokenBucket, at now: Int64) -> Int64? {
        guard case .at(let turn) = bucket.take(now: start.advanced(by: now)) else { return nil }
        return turn.milliseconds - start.milliseconds
    }

    @Test func `gives its burst at once, and then one token after the other`() {
        var bucket = TokenBucket(perSecond: 10, burst: 3)
        #expect((1...5).map { _ in take(&bucket, at: 0) } == [0, 0, 0, 100, 200])
        #expect(take(&bucket, at: 1_000) == 1_000)
    }

    @Test func `asks those back later whose wait would be long, and takes no token for them`() {
        var bucket = TokenBucket(perSecond: 1, burst: 1)
        #expect((1...3).map { _ in take(&bucket, at: 0) } == [0, 1_000, 2_000])
        let late = TokenBucket.Turn.notBefore(start.advanced(by: 3_000))
        #expect(bucket.take(now: start) == late)
        #expect(bucket.take(now: start) == late)
        #expect(take(&bucket, at: 1_000) == 3_000)
    }

    @Test func `gives nothing before the moment that Apple named, and no burst after it`() {
        var bucket = TokenBucket(perSecond: 10, burst: 5)
        bucket.block(until: start.advanced(by: 60_000))
        #expect(bucket.take(now: start) == .notBefore(start.advanced(by: 60_000)))
        #expect(take(&bucket, at: 60_000) == 60_000)
        #expect(take(&bucket, at: 60_000) == 60_100)
    }

    @Test(arguments: [7_200_000, 86_400_000] as [Int64])
    func `does not stop for as long as the clock was put back`(jump: Int64) {
        var bucket = TokenBucket(perSecond: 10, burst: 1)
        bucket.block(until: start.advanced(by: jump + 1_000))
        #expect(take(&bucket, at: jump) == nil)
        #expect(take(&bucket, at: jump + 1_000) == jump + 1_000)
        #expect(take(&bucket, at: 0) == 0)
        #expect(take(&bucket, at: 0) == 100)
    }

    @Test func `gives nothing away when the clock is read in the wrong order`() {
        var bucket = TokenBucket(perSecond: 10, burst: 2)
        let starts = (0..<20).compactMap { take(&bucket, at: $0.isMultiple(of: 2) ? 500 : 0) }
        #expect(starts.count > 10)
        #expect(starts == [500] + (0..<starts.count - 1).map { 500 + 100 * Int64($0) })
    }

    @Test(arguments: 1...20) func `lets no span of time see more than burst and rate`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let rate = Int64.random(in: 1...50, using: &random)
        let burst = Int64.random(in: 1...50, using: &random)
        var bucket = TokenBucket(perSecond: Double(rate), burst: Int(burst))
        var now: Int64 = 0
        var starts: [Int64] = []
        for _ in 1...800 {
            now += Int64.random(in: 0...(2_000 / rate), using: &random)
            if let turn = take(&bucket, at: now) { starts.append(turn) }
        }
        #expect(starts == starts.sorted())
        #expect(starts.count > 100)
        var excess = Int64.min
        for (first, begin) in starts.enumerated() {
            for last in first..<starts.count {
                let allowed = burst + (rate * (starts[last] - begin + 1) + 999) / 1_000
                excess = max(excess, Int64(last - first + 1) - allowed)
            }
        }
        #expect(excess <= 0)
    }

    @Test func `of the strictest sandbox gives a token every 1,053 ms, and of production 47 a second`() {
        var production = Endpoint.transactionInfo.bucket(on: .production)
        var now: Int64 = 0
        for _ in 1...4_750 {
            if let turn = take(&production, at: now) { now = turn }
        }
        #expect((98_000...101_000).contains(now))
        var sandbox = Endpoint.orderLookUp.bucket(on: .sandbox)
        #expect((1...2).map { _ in take(&sandbox, at: 0) } == [0, 1_053])
    }
}
