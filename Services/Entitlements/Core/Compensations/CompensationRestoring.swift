import Contracts

/// What a ledger that was put back from a backup does when it learns again of a compensation that Orders has kept.
///
/// Tested by: `CompensationRestoringTests`, `CompensationTests`.
///
/// | the ledger has it as \ it was kept as | granted, matched                    | reversed               |
/// |----------------------------------------|-------------------------------------|------------------------|
/// | nothing, or proposed                   | given; its purchase takes its place | given, then taken back |
/// | granted                                | its purchase takes its place        | taken back             |
/// | reversed, matched, void                | nothing                             | nothing                |
///
/// A purchase that has not come back yet takes the place when it does. Only what was granted is kept: as proposed or
/// void it would be what it is as granted.
struct CompensationRestoring: Hashable, Sendable {
    /// How it ends, once the buyer has it.
    enum Ending: Hashable, Sendable {
        case takenBack
        /// One of its purchases that is in the ledger takes its place; without one it stays.
        case matched
    }

    /// Whether the ledger gives it again.
    let isGiven: Bool
    let ending: Ending

    /// Nil if nothing is done.
    init?(of known: CompensationV1.State?, keptAs kept: CompensationV1.State) {
        switch known {
        case .reversed, .matched, .void: return nil
        case .granted: isGiven = false
        case .proposed, nil: isGiven = true
        }
        switch kept {
        case .reversed: ending = .takenBack
        case .granted, .matched, .proposed, .void: ending = .matched
        }
    }
}

extension Compensation {
    /// Whether it gives way to one on its order that was granted before the backup: nobody has anything by it yet.
    var givesWay: Bool {
        switch content.state {
        case .proposed: true
        case .granted, .reversed, .matched, .void: false
        }
    }

    /// As it was before it ended.
    var asGranted: Compensation {
        var content = content
        (content.state, content.endedAt, content.purchaseId) = (.granted, nil, nil)
        content.endedReason = nil
        return Compensation(content)
    }
}
