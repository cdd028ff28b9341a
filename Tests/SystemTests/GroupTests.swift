import Contracts
import Foundation
import TestKit
import Testing

/// Law 2 over simulated groups of all services.
///
/// Every transaction whose proof was acknowledged ends as exactly one of granted (once, to the holder of its claim),
/// parked, orphan or ended; and no phone is told `finish` before that, except for `conflict`. A failing
/// seed is printed and replays with its transcript by
/// `COUNTERFOIL_GROUP_SEED=<n> deploy/test --filter 'a simulated group'`, one with a restored store with
/// `COUNTERFOIL_GROUP_RESTORES=receipts` (or `backup`) beside it; `COUNTERFOIL_GROUP_SEEDS=<n>` sets how many seeds are
/// run.
@Suite(.serialized) struct `a simulated group` {
    static let seeds = environment["COUNTERFOIL_GROUP_SEEDS"].flatMap { Int($0) } ?? standardSeeds
    static let standardSeeds = 240
    /// Runs in which a store is restored.
    static let restoredSeeds = 70
    /// Runs in which a backup is restored.
    static let backupSeeds = 140
    static let minimumOfEach = 70
    static let chunk = 10

    static let environment = ProcessInfo.processInfo.environment
    static let replayed = environment["COUNTERFOIL_GROUP_SEED"].flatMap { Int($0) }

    private static func run(
        _ seeds: Int,
        restores: GroupRestore.Scope? = nil
    ) async throws -> SimulationRuns<GroupCounts> {
        let outcome = try await SimulationRuns(seeds: seeds, chunk: chunk) {
            try GroupSimulation(seed: $0, restores: restores)
        }
        for failure in outcome.failures { print(restores.map { "restored \($0) \(failure)" } ?? failure) }
        #expect(outcome.failures.isEmpty, "\(outcome.failures.count) seeds: \(outcome.failures.prefix(5))")
        return outcome
    }

    @Test(.enabled(if: replayed == nil), .timeLimit(.minutes(30)))
    func `every acknowledged transaction comes to one end, and no phone finishes before it`() async throws {
        let outcome = try await Self.run(Self.seeds)
        #expect(outcome.fewestEvents >= GroupSimulation.minimumEvents)
        #expect(outcome.fewestFaults >= GroupSimulation.minimumFaults)
        for line in outcome.counts.lines where Self.seeds >= Self.standardSeeds {
            #expect(line.count >= Self.minimumOfEach, "\(line.name) happened \(line.count) times only")
        }
        let replicated = (Self.seeds + GroupSimulation.replicatedShare - 1) / GroupSimulation.replicatedShare
        let stores = ServiceName.allCases.count * GroupWorld.partitions
        #expect(outcome.counts.replays == replicated * stores, "each log makes its store, once")
        print("simulated group: \(Self.seeds) seeds, \(outcome.counts.events) events")
        for line in outcome.counts.lines { print("  \(line.name): \(line.count)") }
    }

    @Test(.enabled(if: replayed == nil), .timeLimit(.minutes(30)))
    func `a restored store of Receipts grants nothing to a second login`() async throws {
        let outcome = try await Self.run(Self.restoredSeeds, restores: .receipts)
        #expect(outcome.counts.restores == Self.restoredSeeds)
        #expect(outcome.counts.forgottenClaims >= Self.minimumOfEach)
        print("restored stores: \(outcome.counts.restores), claims: \(outcome.counts.forgottenClaims)")
    }

    @Test(.enabled(if: replayed == nil), .timeLimit(.minutes(30)))
    func `a store or a group that is restored from a backup loses no purchase, and grants none twice`()
        async throws
    {
        let outcome = try await Self.run(Self.backupSeeds, restores: .backup)
        #expect(outcome.counts.restores == Self.backupSeeds)
        for line in outcome.counts.losses where line.name != "GroupLoss claims" {
            #expect(line.count >= Self.minimumOfEach, "\(line.name) were lost \(line.count) times only")
        }
        print("restored backups: \(outcome.counts.restores), lost rows: \(outcome.counts.losses)")
    }

    @Test(.enabled(if: replayed != nil)) func `one seed is replayed`() throws {
        let simulation = try GroupSimulation(
            seed: try #require(Self.replayed),
            restores: Self.environment["COUNTERFOIL_GROUP_RESTORES"].flatMap(GroupRestore.Scope.init),
            isRecorded: true
        )
        let violation = simulation.run()
        for line in simulation.transcript { print(line) }
        #expect(violation == nil)
    }

    @Test(arguments: 0..<8) func `the same seed runs the same way`(seed: Int) throws {
        let runs = try (0..<2).map { _ in try GroupSimulation(seed: seed, isRecorded: true) }
        for run in runs { _ = run.run() }
        #expect(!runs[0].transcript.isEmpty)
        let parting = zip(runs[0].transcript, runs[1].transcript).first { $0 != $1 }
        #expect(parting == nil)
        #expect(runs[0].transcript.count == runs[1].transcript.count)
    }
}

/// The negative controls.
@Suite struct `a broken simulated group` {
    /// How many seeds a variant may survive.
    private static let seeds = 100

    @Test(
        .enabled(if: `a simulated group`.replayed == nil),
        arguments: GroupVariant.allCases.filter { $0 != .faithful }
    )
    func `breaks the law that it must, by its name`(variant: GroupVariant) throws {
        let law = try #require(variant.law)
        var broken: Set<GroupLaw> = []
        _ = try (0..<Self.seeds).first { seed in
            let run = try GroupSimulation(seed: seed, variant: variant)
            _ = run.run()
            broken.formUnion(run.violations.map(\.law))
            return broken.contains(law)
        }
        #expect(broken.contains(law), "\(variant) broke \(broken) in \(Self.seeds) seeds")
    }
}
