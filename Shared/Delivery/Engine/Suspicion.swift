import Contracts
import Database

/// What is in hand when the process dies, and how its successor learns of it.
///
/// After an unclean end whatever may have ended the process is done alone: its name is noted in a commit of its own,
/// and forgotten in the transaction that has its effect. What is found noted by five lives is parked. On the normal
/// path nothing is noted, so that a storm of kills parks nobody and costs nothing.
extension PartitionEngine {
    /// Notes `name` as alone in hand while `body` runs; `body` learns whether it has ended too many processes.
    func alone(
        _ name: String,
        _ body: (_ isDeadly: Bool) throws -> PartitionOutput
    ) throws -> PartitionOutput {
        let deaths = try suspects[name] ?? store.write { try SuspectStore(connection: $0).note(name) }
        suspects[name] = deaths
        let output = try body(deaths >= Self.suspectDeaths)
        suspects[name] = nil
        return output
    }

    /// Runs one message, or the result of one piece of outside work, alone.
    func runAlone(_ unit: Unit, at moment: Moment) throws -> PartitionOutput {
        guard state.isCautious(with: unit), let name = suspectName(of: unit) else {
            return try run([unit], at: moment)
        }
        if unit.event == nil { state.cautiousWork -= 1 } else { state.cautious -= 1 }
        return try alone(name) { isDeadly in
            var unit = unit
            unit.isDeadly = isDeadly
            return try run([unit], suspect: name, at: moment)
        }
    }

    private func suspectName(of unit: Unit) -> String? {
        if case .worked(let item, _) = unit.content { return "work \(item.key)" }
        return unit.event.flatMap(decoder.eventID)
    }
}

extension PartitionState {
    /// Whether a unit is to be run alone, because the last owner may have died of it.
    func isCautious(with unit: Unit) -> Bool {
        if case .worked = unit.content { return cautiousWork > 0 }
        return unit.event != nil && cautious > 0
    }
}

extension Batch {
    /// Takes a piece of outside work out of the worker's hands: its result has ended too many processes.
    ///
    /// Its row stays as it is; the operator releases it once the program is mended.
    func park(_ item: WorkItem) throws {
        try SuspectStore(connection: connection).park(item.key, Self.deadlyReason, now: moment.now)
        state.parkedWork.insert(item.key)
        output.alarms.append("outside work is parked: \(item.key): \(Self.deadlyReason)")
    }
}
