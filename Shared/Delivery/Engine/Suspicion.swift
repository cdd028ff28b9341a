import Contracts
import Database

/// Finds what ended the process.
///
/// After an unclean end every possible cause runs alone: its name is committed first, and deleted in the transaction
/// that has its effect. A name found by five owners is parked. In normal operation nothing is noted, so that repeated
/// kills park nothing and cost nothing.
extension PartitionEngine {
    /// Notes `name` as suspect while `body` runs; `body` learns whether it has ended too many processes.
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
    func isCautious(with unit: Unit) -> Bool {
        if case .worked = unit.content { return cautiousWork > 0 }
        return unit.event != nil && cautious > 0
    }
}

extension Batch {
    /// Parks outside work whose result has ended too many processes; its row waits for the operator's release.
    func park(_ item: WorkItem) throws {
        try SuspectStore(connection: connection).park(item.key, Self.deadlyReason, now: moment.now)
        state.parkedWork.insert(item.key)
        output.alarms.append("outside work is parked: \(item.key): \(Self.deadlyReason)")
    }
}
