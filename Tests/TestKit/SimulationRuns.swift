/// How often what happened in one run of a simulation, or in several.
package protocol SimulationCounts: Sendable {
    init()
    var events: Int { get }
    var faultCount: Int { get }
    mutating func add(_ other: Self)
}

/// A simulation whose every event follows from its seed.
package protocol SeededSimulation: SendableMetatype {
    associatedtype Counts: SimulationCounts
    associatedtype Violation
    var counts: Counts { get }
    /// Runs it; returns what broke a law, or nil.
    func run() -> Violation?
}

/// What the runs of many seeds came to.
package struct SimulationRuns<Counts: SimulationCounts>: Sendable {
    package private(set) var counts = Counts()
    package private(set) var failures: [String] = []
    package private(set) var fewestEvents = Int.max
    package private(set) var fewestFaults = Int.max

    private init() {}

    /// Runs the seeds from 0 on, `chunk` of them at a time on every core.
    package init<Simulation: SeededSimulation>(
        seeds: Int,
        chunk: Int,
        _ simulation: @escaping @Sendable (_ seed: Int) throws -> Simulation
    ) async throws where Simulation.Counts == Counts {
        self.init()
        let parts = try await withThrowingTaskGroup(of: SimulationRuns.self) { group in
            for first in stride(from: 0, to: seeds, by: chunk) {
                group.addTask {
                    var part = SimulationRuns()
                    for seed in first..<min(first + chunk, seeds) { part.run(try simulation(seed), seed) }
                    return part
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for part in parts { add(part) }
    }

    private mutating func run<Simulation: SeededSimulation>(_ simulation: Simulation, _ seed: Int)
    where Simulation.Counts == Counts {
        if let violation = simulation.run() { failures.append("seed \(seed): \(violation)") }
        counts.add(simulation.counts)
        fewestEvents = min(fewestEvents, simulation.counts.events)
        fewestFaults = min(fewestFaults, simulation.counts.faultCount)
    }

    private mutating func add(_ other: SimulationRuns) {
        counts.add(other.counts)
        failures += other.failures
        fewestEvents = min(fewestEvents, other.fewestEvents)
        fewestFaults = min(fewestFaults, other.fewestFaults)
    }
}
