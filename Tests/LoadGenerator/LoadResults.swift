import Foundation
import LoadVerdict
import NIOConcurrencyHelpers
import TestKit

/// Every payment of a run with what must come of it, and what has.
final class LoadResults: Sendable {
    /// How a run stands.
    struct Counts: Sendable {
        var paid = 0
        var acknowledged = 0
        /// Acknowledged, and not seen in a ledger so far.
        var unseen = 0
        var grants = 0
        var errors = 0
        var rejections = 0
        var busy = 0
    }

    private struct State {
        var audit: Audit
        var counts = Counts()
        var errors: [String: Int] = [:]
        var firstRejection: String?
        var grantMicroseconds: [UInt32] = []
        var samples = 0
    }

    private let state: NIOLockedValueBox<State>

    init(products: [Product]) { state = NIOLockedValueBox(State(audit: Audit(products: products))) }

    var counts: Counts {
        state.withLockedValue { state in
            var counts = state.counts
            counts.unseen = state.audit.unseen.count
            return counts
        }
    }

    // MARK: What phones say

    func notePayment(_ transaction: UInt64, _ expectation: PurchaseExpectation) {
        state.withLockedValue {
            $0.counts.paid += 1
            $0.audit.expect(transaction, expectation, at: WallClock.microseconds / 1_000)
        }
    }

    /// From now on `other` is another id of the same purchase.
    func noteRestoring(_ other: UInt64, of transaction: UInt64) {
        state.withLockedValue { $0.audit.alias(other, of: transaction) }
    }

    func noteAcknowledgement(_ transaction: UInt64) {
        state.withLockedValue {
            $0.counts.acknowledged += 1
            $0.audit.acknowledge(transaction)
        }
    }

    /// An answer said that the goods are granted, so long after the proof was sent first.
    func noteGrant(microseconds: Int64) {
        state.withLockedValue {
            $0.counts.grants += 1
            $0.grantMicroseconds.append(UInt32(clamping: microseconds))
        }
    }

    /// What an answer means to the phone that it came to.
    enum Meaning {
        case askAgain, over
        /// Its own goods are granted, says the answer.
        case granted
    }

    /// Takes an answer about a payment, and holds it against the law of finishing.
    ///
    /// `isStranger` is whether the proof was submitted under another login than the buyer's.
    func note(_ answer: VerdictAnswer, to transaction: UInt64, isStranger: Bool) -> Meaning {
        guard answer.finish else {
            switch answer.verdict {
            case "parked": state.withLockedValue { $0.audit.notePark(transaction) }
            // Every proof of a run is genuine.
            case "invalid": noteRejection("a proof is invalid")
            default: break
            }
            return answer.verdict == "pending" ? .askAgain : .over
        }
        if answer.isGranted, !isStranger { return .granted }
        // Genuine, and its owner's: only the ledger could have ended it.
        if !isStranger || answer.verdict != "conflict" { noteFinishTooEarly(transaction) }
        return .over
    }

    /// Holds an answer that says granted against the ledger, as it was read after the answer came.
    func compareWithLedger(_ transaction: UInt64) {
        state.withLockedValue { $0.samples += 1 }
        if !isInLedger(transaction) { noteFinishTooEarly(transaction) }
    }

    private func noteFinishTooEarly(_ transaction: UInt64) {
        state.withLockedValue { $0.audit.noteFinishTooEarly(transaction) }
    }

    func noteError(_ reason: String) {
        state.withLockedValue {
            $0.counts.errors += 1
            $0.errors[reason, default: 0] += 1
        }
    }

    func noteRejection(_ reason: String) {
        state.withLockedValue {
            $0.counts.rejections += 1
            $0.firstRejection = $0.firstRejection ?? reason
        }
    }

    func noteBusy(_ change: Int) { state.withLockedValue { $0.counts.busy += change } }

    // MARK: What ledgers say

    func note(_ entries: [LedgerAnswer.Entry], of buyer: Int32) {
        guard !entries.isEmpty else { return }
        state.withLockedValue { for entry in entries { $0.audit.note(entry, of: buyer) } }
    }

    private func isInLedger(_ transaction: UInt64) -> Bool {
        state.withLockedValue { $0.audit.isInLedger(transaction) }
    }

    /// The buyers whose ledgers lack something that was acknowledged.
    var waitingBuyers: Set<Int> { state.withLockedValue { $0.audit.waitingBuyers } }

    /// The verdict on the run.
    func report(seconds: Double) -> LoadReport {
        state.withLockedValue { state in
            LoadReport(
                audit: state.audit,
                latencies: state.grantMicroseconds.sorted(),
                errors: state.errors,
                rejections: state.counts.rejections,
                firstRejection: state.firstRejection,
                samples: state.samples,
                seconds: seconds
            )
        }
    }
}
