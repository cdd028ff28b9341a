import Contracts
import Foundation
import Testing

/// Law 2 over simulated groups of all services.
///
/// Every transaction whose proof was acknowledged ends as exactly one of granted (once, to the holder of its claim),
/// parked, orphan or ended; and no phone is told `finish` before that, except for `conflict`. A failing
/// seed is printed and replays with its transcript by
/// `COUNTERFOIL_GROUP_SEED=<n> swift test --filter 'a simulated group'`, one with a restored store with
/// `COUNTERFOIL_GROUP_RESTORES=1` beside it; `COUNTERFOIL_GROUP_SEEDS=<n>` sets how many lives are lived.
@Suite(.serialized) struct `a simulated group` {
    static let seeds = environment["COUNTERFOIL_GROUP_SEEDS"].flatMap { Int($0) } ?? standardSeeds
    static let standardSeeds = 300
    /// Lives in which a store is restored.
    static let restoredSeeds = 100
    static let minimumOfEach = 100
    static let chunk = 10
    /// How many seeds a broken variant may survive.
    static let controlSeeds = 100

    struct Outcome: Sendable {
        var tally = GroupTally()
        var failures: [String] = []
        var fewestEvents = Int.max
        var fewestFaults = Int.max
    }

    static func run(_ seeds: Range<Int>, restores: Bool = false) throws -> Outcome {
        var outcome = Outcome()
        for seed in seeds {
            let simulation = try GroupSimulation(seed: seed, restores: restores)
            if let violation = simulation.run() { outcome.failures.append("seed \(seed): \(violation)") }
            outcome.tally.add(simulation.tally)
            outcome.fewestEvents = min(outcome.fewestEvents, simulation.tally.events)
            outcome.fewestFaults = min(outcome.fewestFaults, simulation.tally.faultCount)
        }
        return outcome
    }

    static func runAll(_ seeds: Int = Self.seeds, restores: Bool = false) async throws -> Outcome {
        try await withThrowingTaskGroup(of: Outcome.self) { group in
            for first in stride(from: 0, to: seeds, by: chunk) {
                group.addTask { try run(first..<min(first + chunk, seeds), restores: restores) }
            }
            var sum = Outcome()
            for try await part in group {
                sum.tally.add(part.tally)
                sum.failures += part.failures
                sum.fewestEvents = min(sum.fewestEvents, part.fewestEvents)
                sum.fewestFaults = min(sum.fewestFaults, part.fewestFaults)
            }
            return sum
        }
    }

    static let environment = ProcessInfo.processInfo.environment
    static let replayed = environment["COUNTERFOIL_GROUP_SEED"].flatMap { Int($0) }

    @Test(.enabled(if: replayed == nil), .timeLimit(.minutes(10)))
    func `every acknowledged transaction comes to one end, and no phone finishes before it`() async throws {
        let outcome = try await Self.runAll()
        for failure in outcome.failures { print(failure) }
        #expect(outcome.failures.isEmpty, "\(outcome.failures.count) seeds: \(outcome.failures.prefix(5))")
        #expect(outcome.fewestEvents >= GroupSimulation.minimumEvents)
        #expect(outcome.fewestFaults >= GroupSimulation.minimumFaults)
        for line in outcome.tally.lines where Self.seeds >= Self.standardSeeds {
            #expect(line.count >= Self.minimumOfEach, "\(line.name) happened \(line.count) times only")
        }
        print("simulated group: \(Self.seeds) seeds, \(outcome.tally.events) events")
        for line in outcome.tally.lines { print("  \(line.name): \(line.count)") }
    }

    @Test(.enabled(if: replayed == nil), .timeLimit(.minutes(10)))
    func `a restored store of Receipts grants nothing to a second login`() async throws {
        let outcome = try await Self.runAll(Self.restoredSeeds, restores: true)
        for failure in outcome.failures { print("restored \(failure)") }
        #expect(outcome.failures.isEmpty, "\(outcome.failures.count) seeds: \(outcome.failures.prefix(5))")
        #expect(outcome.tally.restores == Self.restoredSeeds)
        #expect(outcome.tally.forgottenClaims >= Self.minimumOfEach)
        print("restored stores: \(outcome.tally.restores), claims: \(outcome.tally.forgottenClaims)")
    }

    @Test(.enabled(if: replayed != nil)) func `one seed is replayed`() throws {
        let simulation = try GroupSimulation(
            seed: try #require(Self.replayed),
            restores: Self.environment["COUNTERFOIL_GROUP_RESTORES"] != nil,
            isRecorded: true
        )
        let violation = simulation.run()
        for line in simulation.transcript { print(line) }
        #expect(violation == nil)
    }

    @Test(arguments: 0..<8) func `the same seed lives the same life`(seed: Int) throws {
        let lives = try (0..<2).map { _ in try GroupSimulation(seed: seed, isRecorded: true) }
        for life in lives { _ = life.run() }
        #expect(!lives[0].transcript.isEmpty)
        let parting = zip(lives[0].transcript, lives[1].transcript).first { $0 != $1 }
        #expect(parting == nil)
        #expect(lives[0].transcript.count == lives[1].transcript.count)
    }

    @Test(.enabled(if: replayed == nil), arguments: GroupVariant.allCases.filter { $0 != .faithful })
    func `a broken shell breaks the law that it must, by its name`(variant: GroupVariant) throws {
        let law = try #require(variant.law)
        var broken: Set<GroupLaw> = []
        _ = try (0..<Self.controlSeeds).first { seed in
            let life = try GroupSimulation(seed: seed, variant: variant)
            _ = life.run()
            broken.formUnion(life.violations.map(\.law))
            return broken.contains(law)
        }
        #expect(broken.contains(law), "\(variant) broke \(broken) in \(Self.controlSeeds) seeds")
    }
}
