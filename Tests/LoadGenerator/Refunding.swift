import AppStoreSigning
import Contracts
import LoadVerdict
import TestKit

/// Money that Apple gives back.
extension Phone {
    /// Buys something that is refunded afterwards, or while it is handed in.
    func giveBack(_ payment: Payment) async throws {
        guard let refund = script.refund else { return }
        try await pay(payment)
        let start = WallClock.microseconds
        if refund.isEarly {
            async let told: Void = tell(of: refund, about: payment.transaction)
            try await submit(payment, since: start)
            try await told
        } else {
            try await submit(payment, since: start)
            try await tell(of: refund, about: payment.transaction)
        }
        if refund.isStaleProofSent { try await handInAgain(payment) }
    }

    /// Lets Apple say of a transaction what the script wants, each statement signed later than the one before.
    func tell(of refund: RefundScript, about transaction: SignedTransaction) async throws {
        guard refund.isAtOnce else {
            var last = transaction
            for statement in refund.statements {
                last = statement.applied(to: last, at: .now())
                try await deliver(statement, last)
            }
            return
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            var last = transaction
            for statement in refund.statements {
                last = statement.applied(to: last, at: .now())
                let signed = last
                group.addTask { try await deliver(statement, signed) }
            }
            try await group.waitForAll()
        }
    }

    private func deliver(
        _ statement: RefundScript.Statement,
        _ transaction: SignedTransaction
    ) async throws {
        let (number, signed) = (try transaction.number, transaction.signedDate)
        let noted = RefundHistory.Statement(
            signed: signed,
            share: statement.share,
            revoked: transaction.revocationDate
        )
        context.note { $0.note(noted, of: number, isPeriod: transaction.expiresDate != nil) }
        let type = statement == .reversed ? "REFUND_REVERSED" : "REFUND"
        guard try await deliver(Notice(type: type, transaction: transaction)) else { return }
        context.note { $0.noteRefund(of: number, signed: signed) }
    }

    /// The phone still has the proof that Apple signed before the refund: it puts no goods back.
    func handInAgain(_ payment: Payment) async throws {
        let answer = try await context.retry { await attempt(payment) }
        guard let answer, !answer.finish, answer.verdict != "pending" else { return }
        context.note { $0.noteRejection("an old proof is \(answer.verdict)") }
    }
}

extension RefundScript.Statement {
    fileprivate var share: Int64 {
        switch self {
        case .refunded(let percentage): percentage.map(Int64.init) ?? RefundHistory.all
        case .reversed: 0
        }
    }

    fileprivate func applied(to transaction: SignedTransaction, at now: Timestamp) -> SignedTransaction {
        switch self {
        case .refunded(let percentage): return transaction.refunded(at: now, percentage: percentage)
        case .reversed:
            var reversed = transaction.notRevoked
            reversed.signedDate = max(now.milliseconds, transaction.signedDate + 1)
            return reversed
        }
    }
}
