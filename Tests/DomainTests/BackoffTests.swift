import Domain
import Testing

@Suite struct `the pause before a repetition` {
    let backoff = Backoff(first: 200, longest: 5_000)

    @Test func `doubles to the longest, and half of it is chance`() {
        #expect(
            (1...7).map { backoff.pause(after: $0, random: 0) } == [100, 200, 400, 800, 1_600, 2_500, 2_500]
        )
        for attempt in [1, 5, 1_000_000] {
            let least = backoff.pause(after: attempt, random: 0)
            for random in [1, 77, UInt64.max] {
                let pause = backoff.pause(after: attempt, random: random)
                #expect((least...2 * least).contains(pause))
            }
        }
    }
}
