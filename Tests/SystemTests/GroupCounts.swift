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
    /// A handler fails; its event is delayed and tried again.
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
    /// A clock jumps ahead and is put right.
    case wrongClock
    /// The buyers' server takes no webhook.
    case serverDown
}

enum GroupEnd: String, CaseIterable, Sendable { case granted, parked, orphan, ended }

/// Where a submission lies, in the end.
enum GroupPlace: String, CaseIterable, Sendable {
    case besideItsClaim, withItsBuyer
    /// The partition that it came to first did not take it.
    case passedOn
}

/// What was dealt in, and had its effect.
enum GroupDeal: String, CaseIterable, Sendable {
    case renewal, upgrade, move
    /// A purchase that a family shares.
    case shared
    /// Seats that were added to a period; and a member's copy of one.
    case seats, assigned
    /// A renewal whose token names another order than that of the period before it.
    case deed
    /// What another login has got by restoring it; and a restore that moved nothing.
    case transfer, chainTransfer, refusedTransfer
    /// A purchase that has moved to whom its token names, or an order; and one that stays until an operator decides.
    case claimMove, contested
    /// One by the copy of an old proof, which moved nothing.
    case staleRestore
    /// A subscription that replaces another one.
    case replaced
    /// A chain that leads to another one, which has its name.
    case alias
    /// A purchase that its payer got back.
    case returned
    /// A purchase that gave something else, for its goods were owned.
    case compensation
    /// What operators have given and taken back; what made room for a proof that came after all, or for what Apple
    /// has named for its order; and a purchase that was nobody's.
    case madeUpFor, lateProof, lateAppleOrder, assignment
    /// Of one purchase, in full or in part; and one of a period.
    case refund, periodRefund
    case spend, credit, spendReversal
    /// A spend that was refused for want of balance.
    case refusedSpend
    /// A request of a wallet that was answered once more.
    case repeatedKey
    /// An entitlement that has ended by itself, and whose end was told.
    case expiry
    /// One that a refund or another login's restore has ended; and one that is held again after it had ended by itself.
    case endByRefund, endByTransfer, revival
    /// A webhook that the buyers' server had had before.
    case repeatedWebhook
}

/// Purchases that a restored store had forgotten, by what was restored.
enum GroupLoss: String, CaseIterable, Sendable {
    case claims, payments, grants, webhooks, all

    init(_ restore: GroupRestore) {
        switch (restore.addresses.count, restore.addresses.first?.service) {
        case (1, .orders): self = .payments
        case (1, .entitlements): self = .grants
        case (1, .notifications): self = .webhooks
        case (1, _): self = .claims
        default: self = .all
        }
    }
}

struct GroupCounts: SimulationCounts {
    var events = 0
    /// Stores that were brought back to an older copy.
    var restores = 0
    /// Claims that were held and that the copy did not have.
    var forgottenClaims = 0
    /// Stores that were made anew from their logs.
    var replays = 0
    /// By kind and case.
    private var numbers: [String: Int] = [:]

    var faultCount: Int { lines(of: GroupFault.self).reduce(0) { $0 + $1.count } }

    mutating func count<Kind: RawRepresentable<String>>(_ what: Kind) {
        numbers["\(Kind.self) \(what.rawValue)", default: 0] += 1
    }

    mutating func add(_ other: GroupCounts) {
        events += other.events
        restores += other.restores
        forgottenClaims += other.forgottenClaims
        replays += other.replays
        numbers.merge(other.numbers, uniquingKeysWith: +)
    }

    var lines: [(name: String, count: Int)] { all.filter { !Self.namesAtTheDesk.contains($0.name) } }

    /// What is dealt in only where operators act.
    var linesAtTheDesk: [(name: String, count: Int)] { all.filter { Self.namesAtTheDesk.contains($0.name) } }

    private static let namesAtTheDesk = Set(
        ([.madeUpFor, .lateProof, .lateAppleOrder, .assignment] as [GroupDeal]).map { "GroupDeal \($0)" }
            + GroupWorkload.onlyAtTheDesk.map { "GroupWorkload \($0)" }
    )

    private var all: [(name: String, count: Int)] {
        lines(of: GroupFault.self) + lines(of: GroupWorkload.self) + lines(of: Verdict.self)
            + lines(of: GroupDeal.self) + lines(of: GroupEnd.self) + lines(of: GroupAnswer.self)
            + lines(of: GroupPlace.self)
    }

    var losses: [(name: String, count: Int)] { lines(of: GroupLoss.self) }

    private func lines<Kind: RawRepresentable<String> & CaseIterable>(
        of kind: Kind.Type
    ) -> [(name: String, count: Int)] {
        kind.allCases.map { "\(kind) \($0.rawValue)" }.map { ($0, numbers[$0] ?? 0) }
    }
}
