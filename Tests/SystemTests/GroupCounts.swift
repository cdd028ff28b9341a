import Contracts
import TestKit

enum GroupFault: String, CaseIterable, Sendable {
    case loss, repetition, reordering, delay, reconnect
    /// A frame for a dead owner reaches its successor, or comes over a connection of an earlier run.
    case oldFrame
    case crashBeforeCommit, crashAfterCommit
    /// A process dies when a part of what it has to say is said.
    case crashAmidOutputs
    case handover
    case fullDisk
    /// Forward links get no credit for a while.
    case starvation
    /// A handler fails; its event is held and tried again.
    case handlerFailure
    /// The gateway gives up, or is refused; the phone submits again.
    case unanswered
    /// A phone gives up before the answer.
    case phoneDies
    /// A phone submits again before it had an answer.
    case relaunch
    case newCatalog
    /// An operator sends on its way again what waits.
    case operatorRetry
    /// Apple answers an owner that is dead.
    case lostAnswer
    /// Apple's answer comes twice.
    case repeatedAnswer
    /// Apple's statement does not arrive.
    case missedStatement
}

enum GroupEnd: String, CaseIterable, Sendable { case granted, parked, orphan, ended }

struct GroupCounts: SimulationCounts {
    var events = 0
    /// Stores that were brought back to an older copy.
    var restores = 0
    /// Claims that were held and that the copy did not have.
    var forgottenClaims = 0
    private var faults: [GroupFault: Int] = [:]
    private var workloads: [GroupWorkload: Int] = [:]
    private var verdicts: [Verdict: Int] = [:]
    private var ends: [GroupEnd: Int] = [:]
    private var answers: [GroupAnswer: Int] = [:]

    var faultCount: Int { faults.values.reduce(0, +) }

    mutating func count(_ fault: GroupFault) { faults[fault, default: 0] += 1 }
    mutating func count(_ workload: GroupWorkload) { workloads[workload, default: 0] += 1 }
    mutating func count(_ verdict: Verdict) { verdicts[verdict, default: 0] += 1 }
    mutating func count(_ end: GroupEnd) { ends[end, default: 0] += 1 }
    mutating func count(_ answer: GroupAnswer) { answers[answer, default: 0] += 1 }

    mutating func add(_ other: GroupCounts) {
        events += other.events
        restores += other.restores
        forgottenClaims += other.forgottenClaims
        faults.merge(other.faults, uniquingKeysWith: +)
        workloads.merge(other.workloads, uniquingKeysWith: +)
        verdicts.merge(other.verdicts, uniquingKeysWith: +)
        ends.merge(other.ends, uniquingKeysWith: +)
        answers.merge(other.answers, uniquingKeysWith: +)
    }

    var lines: [(name: String, count: Int)] {
        GroupFault.allCases.map { ("fault \($0)", faults[$0] ?? 0) }
            + GroupWorkload.allCases.map { ("workload \($0)", workloads[$0] ?? 0) }
            + Verdict.allCases.map { ("verdict \($0)", verdicts[$0] ?? 0) }
            + GroupEnd.allCases.map { ("end \($0)", ends[$0] ?? 0) }
            + GroupAnswer.allCases.map { ("Apple: \($0)", answers[$0] ?? 0) }
    }
}
