import TestKit

@testable import Delivery

/// What may go wrong in the simulated group.
enum SimulatedFault: Int, CaseIterable, Sendable {
    /// A frame is lost.
    case loss
    /// A frame arrives twice.
    case repetition
    /// A frame is overtaken.
    case reordering
    /// A frame arrives very late.
    case delay
    /// The wire is made anew behind everybody's back.
    case reconnect
    /// A frame that was meant for a dead owner reaches the new one.
    case oldFrame
    /// A sender has a stale address, at which another partition listens.
    case staleAddress
    /// A process is stopped, and goes on later.
    case stop
    /// A process is killed between two steps.
    case kill
    /// A process is killed at a crash point.
    case crash
    /// A partition is released and taken by another process, or by the same.
    case handover
    /// A store is replaced by an older copy of itself.
    case restore
    /// Forward links get no credit for a while.
    case starvation
    /// A transaction fails, nothing of it is durable.
    case storeError
    /// A COMMIT fails and nobody knows whether it is durable; the store is opened again.
    case unknownCommit
    /// A handler fails.
    case poison
    /// An event goes to the dead letters because it cannot be handled.
    case deadLetter
    /// An event goes to the dead letters because it cannot be read.
    case undecodable
}

/// Where a simulated process may die.
enum SimulatedCrashPoint: Int, CaseIterable, Sendable {
    case afterTakeover, afterAttach
    case beforeCommit, afterCommit, afterReply, afterSettle, afterDelivery
    case beforeRetryCommit, afterRetryCommit
    case beforeQuarantine, afterQuarantine
    case beforeRedrive, afterRedrive

    /// How often it happens, per thousand visits.
    var perMille: Int {
        switch self {
        case .afterAttach, .beforeCommit, .afterCommit, .afterReply, .afterSettle, .afterDelivery: 5
        case .afterTakeover, .beforeRetryCommit, .afterRetryCommit: 20
        case .beforeQuarantine, .afterQuarantine, .beforeRedrive, .afterRedrive: 150
        }
    }
}

/// How often what happened.
struct SimulatorCounts: SimulationCounts {
    var events = 0
    var sends = 0
    /// What repair costs: silences that ran out on links with something to say, and attaches.
    var silences = 0
    var attaches = 0
    private(set) var faults = [Int](repeating: 0, count: SimulatedFault.allCases.count)
    private(set) var crashes = [Int](repeating: 0, count: SimulatedCrashPoint.allCases.count)
    private(set) var refusals: [LinkFrame.RefusalReason: Int] = [:]
    private(set) var quarantines: [LinkSender.Quarantine: Int] = [:]

    var refusalCount: Int { refusals.values.reduce(0, +) }
    var faultCount: Int { faults.reduce(0, +) }

    mutating func count(_ fault: SimulatedFault) { faults[fault.rawValue] += 1 }
    mutating func count(_ refusal: LinkFrame.RefusalReason) { refusals[refusal, default: 0] += 1 }
    mutating func count(_ quarantine: LinkSender.Quarantine) { quarantines[quarantine, default: 0] += 1 }

    mutating func count(_ point: SimulatedCrashPoint) {
        crashes[point.rawValue] += 1
        count(.crash)
    }

    mutating func add(_ other: SimulatorCounts) {
        events += other.events
        sends += other.sends
        silences += other.silences
        attaches += other.attaches
        for index in faults.indices { faults[index] += other.faults[index] }
        for index in crashes.indices { crashes[index] += other.crashes[index] }
        refusals.merge(other.refusals, uniquingKeysWith: +)
        quarantines.merge(other.quarantines, uniquingKeysWith: +)
    }

    /// Every kind of trouble with its number.
    var lines: [(name: String, count: Int)] {
        SimulatedFault.allCases.map { ("fault \($0)", faults[$0.rawValue]) }
            + SimulatedCrashPoint.allCases.map { ("crash \($0)", crashes[$0.rawValue]) }
            + LinkFrame.RefusalReason.allCases.map { ("refusal \($0)", refusals[$0] ?? 0) }
            + LinkSender.Quarantine.allCases.map { ("quarantine \($0)", quarantines[$0] ?? 0) }
    }
}
