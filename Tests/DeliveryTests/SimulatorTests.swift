import Foundation
import TestKit
import Testing

/// Law 1 over links in simulated groups.
///
/// A failing seed is printed; `COUNTERFOIL_SIMULATOR_SEED=<n> deploy/test --filter 'one seed is replayed'` runs it
/// again and prints its transcript.
@Suite struct `simulated links` {
    static let seeds = 10_000
    static let leastOfEach = 100
    static let chunk = 250
    /// How many seeds a broken variant may survive.
    static let controlSeeds = 300

    /// What repair may cost per thousand sends of the outside, a little above what it does cost: a link that waits for
    /// a silence where a word would do breaks no law, and is slow.
    static let mostSilences = 50
    static let mostAttaches = 1_530
    static let mostRefusals = 345

    static let replayed = ProcessInfo.processInfo.environment["COUNTERFOIL_SIMULATOR_SEED"].flatMap {
        Int($0)
    }

    @Test(.enabled(if: replayed == nil), .timeLimit(.minutes(30)))
    func `every committed send has its effect exactly once, in order, through every fault`() async throws {
        let outcome = try await SimulationRuns(seeds: Self.seeds, chunk: Self.chunk) { Simulation(seed: $0) }
        #expect(outcome.failures.isEmpty, "\(outcome.failures.count) seeds: \(outcome.failures.prefix(5))")
        #expect(outcome.fewestEvents >= Simulation.leastEvents)
        #expect(outcome.fewestFaults >= Simulation.leastFaults)
        for line in outcome.counts.lines {
            #expect(line.count >= Self.leastOfEach, "\(line.name) happened \(line.count) times only")
        }
        let perThousand = { (count: Int) in count * 1_000 / max(1, outcome.counts.sends) }
        #expect(perThousand(outcome.counts.silences) <= Self.mostSilences)
        #expect(perThousand(outcome.counts.attaches) <= Self.mostAttaches)
        #expect(perThousand(outcome.counts.refusalCount) <= Self.mostRefusals)
        print("simulated links: \(outcome.counts.sends) sends, \(outcome.counts.events) events")
        for line in outcome.counts.lines { print("  \(line.name): \(line.count)") }
    }

    @Test(.enabled(if: replayed != nil)) func `one seed is replayed`() throws {
        let simulation = Simulation(seed: try #require(Self.replayed), isRecorded: true)
        let violation = simulation.run()
        for line in simulation.transcript { print(line) }
        #expect(violation == nil)
    }

    @Test func `the same seed runs the same way`() {
        let runs = (0..<2).map { _ in Simulation(seed: 7, isRecorded: true) }
        for run in runs { _ = run.run() }
        #expect(!runs[0].transcript.isEmpty)
        #expect(runs[0].transcript == runs[1].transcript)
    }

    @Test(arguments: SimulatedVariant.allCases.filter { $0 != .faithful })
    func `a broken shell breaks the law that it must, by its name`(variant: SimulatedVariant) throws {
        let rates = variant == .repeatsLinkNumbers ? SimulatorFaultRates.restless : nil
        var broken: Set<SimulatedLaw> = []
        _ = (0..<Self.controlSeeds).first { seed in
            let violation = Simulation(seed: seed, variant: variant, rates: rates).run()
            if let violation { broken.insert(violation.law) }
            return violation?.law == variant.law
        }
        let law = try #require(variant.law)
        #expect(broken.contains(law), "\(variant) broke \(broken) in \(Self.controlSeeds) seeds")
    }
}
