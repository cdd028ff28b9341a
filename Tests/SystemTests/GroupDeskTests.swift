import Foundation
import TestKit
import Testing

/// The laws of groups in which operators give what is nobody's to a buyer, and make up for orders whose proof comes
/// after all, or never.
///
/// The proof comes before the proposal, before and after its confirmation, and after the reversal, and owners die
/// between any two of these. A failing seed is printed and replays by `COUNTERFOIL_DESK_SEED=<n> deploy/test --filter
/// 'a simulated desk'`; `COUNTERFOIL_DESK_SEEDS=<n>` sets how many are run.
@Suite(.serialized) struct `a simulated desk` {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seeds = environment["COUNTERFOIL_DESK_SEEDS"].flatMap { Int($0) } ?? standardSeeds
    private static let standardSeeds = 60
    private static let minimumOfEach = 100
    private static let chunk = 10
    private static let replayed = environment["COUNTERFOIL_DESK_SEED"].flatMap { Int($0) }

    @Test(.enabled(if: replayed == nil), .timeLimit(.minutes(30)))
    func `grants every purchase once, and takes back what stands for it in the same transaction`()
        async throws
    {
        let outcome = try await SimulationRuns(seeds: Self.seeds, chunk: Self.chunk) {
            try GroupSimulation(seed: $0, atTheDesk: true)
        }
        for failure in outcome.failures { print(failure) }
        #expect(outcome.failures.isEmpty, "\(outcome.failures.count) seeds: \(outcome.failures.prefix(5))")
        for line in outcome.counts.linesAtTheDesk {
            print("  \(line.name): \(line.count)")
            guard Self.seeds >= Self.standardSeeds else { continue }
            #expect(line.count >= Self.minimumOfEach, "\(line.name) happened \(line.count) times only")
        }
    }

    @Test(.enabled(if: replayed != nil)) func `one seed is replayed`() throws {
        let seed = try #require(Self.replayed)
        let simulation = try GroupSimulation(seed: seed, atTheDesk: true, isRecorded: true)
        let violation = simulation.run()
        for line in simulation.transcript { print(line) }
        #expect(violation == nil)
    }
}
