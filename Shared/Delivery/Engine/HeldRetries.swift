import Contracts
import Database
import Domain

/// Tries held events again, each in its own transaction.
extension PartitionEngine {
    /// Tries held events that are due, of a bounded number of subjects, so that new arrivals soon follow.
    ///
    /// - Throws: `StoreError`.
    package func retryHeld(at moment: Moment) throws -> PartitionOutput {
        var output: PartitionOutput?
        let due = state.held.filter { isDue($0.value, at: moment) }.sorted { $0.value < $1.value }
        for (subject, _) in due.prefix(Self.heldSubjects) {
            do {
                let said = try retryHeld(subject, at: moment)
                output = output ?? PartitionOutput()
                output?.append(said)
            } catch let fault as StoreError where fault.mayPass {
                guard let output else { throw fault }
                return output
            }
        }
        return output ?? PartitionOutput()
    }

    /// A time further ahead than any pause was set by a clock that has been corrected since.
    private func isDue(_ due: Timestamp, at moment: Moment) -> Bool {
        due <= moment.now || due > moment.now.advanced(by: RetryPolicy.backoff.longest)
    }

    private func retryHeld(_ subject: Subject, at moment: Moment) throws -> PartitionOutput {
        guard let name = try suspectName(ofHeld: subject) else {
            return try tryHeld(subject, suspect: nil, at: moment)
        }
        return try alone(name) { isDeadly in
            guard isDeadly else { return try tryHeld(subject, suspect: name, at: moment) }
            return try adopt(
                smallBatch(suspect: name, at: moment) {
                    try $0.deadLetterFirst(of: subject, reason: Batch.deadlyReason)
                }
            )
        }
    }

    private func suspectName(ofHeld subject: Subject) throws -> String? {
        guard state.isAfterDeath else { return nil }
        return try store.write { try HeldEventStore(connection: $0).first(of: subject)?.failed.eventID }
    }

    private func tryHeld(
        _ subject: Subject,
        suspect: String?,
        at moment: Moment
    ) throws -> PartitionOutput {
        var poisoned: [PoisonKey: String] = [:]
        while true {
            do {
                return try adopt(
                    smallBatch(poisoned, suspect: suspect, at: moment) { try $0.retryHeld(subject) }
                )
            } catch let fault as HandlerFault where fault.key != .held {
                poisoned[fault.key] = fault.reason
            } catch let fault as HandlerFault {
                return try adopt(
                    smallBatch(poisoned, suspect: suspect, at: moment) {
                        try $0.postponeHeld(subject, reason: fault.reason)
                    }
                )
            }
        }
    }
}
