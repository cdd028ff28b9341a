import Contracts
import Foundation
import LoadVerdict
import TestKit

/// What a buyer's server asks of the wallet.
extension Phone {
    /// What came of a request.
    private enum Outcome: Sendable {
        case moved(WalletEntryV1)
        case insufficient
    }

    /// Buys an amount, and spends of it.
    func spend(_ payment: Payment) async throws {
        guard let spending = script.spending else { return }
        try await pay(payment)
        try await submit(payment, since: WallClock.microseconds)
        let names = product.amounts.keys.sorted()
        guard !names.isEmpty else { return }
        let entitlement = names[spending.entitlement % names.count]
        let bought = product.granted(entitlement, quantity: Int64(script.quantity)) ?? 0
        if let credit = spending.credit {
            _ = try await move(movement("credit", .credit, entitlement, credit))
        }
        for (number, spend) in spending.spends.enumerated() {
            let amount = max(bought * spend.perMille / 1_000, 1)
            let asked = movement("spend/\(number)", .spend, entitlement, amount)
            let entry = try await spend.isDoubled ? moveTwiceAtOnce(asked) : move(asked)
            guard let entry else { continue }
            if spend.isRepeated { _ = try await ask(asked, isAlone: true) }
            guard spend.isReversed else { continue }
            var reversal = movement("reversal/\(number)", .spendReversal, entitlement, amount)
            reversal.undoes = entry
            _ = try await move(reversal)
        }
    }

    private func movement(
        _ name: String,
        _ kind: Movement.Kind,
        _ entitlement: String,
        _ amount: Int64
    ) -> Movement {
        Movement(
            key: "\(context.buyers[0])/\(script.number)/\(name)",
            kind: kind,
            buyer: Int32(script.buyer),
            entitlement: entitlement,
            amount: amount
        )
    }

    /// Asks until the outcome is known; the entry, or nil.
    private func move(_ movement: Movement) async throws -> String? {
        try await announce(movement)
        return try await ask(movement, isAlone: true)
    }

    private func moveTwiceAtOnce(_ movement: Movement) async throws -> String? {
        try await announce(movement)
        async let one = ask(movement, isAlone: false)
        let other = try await ask(movement, isAlone: false)
        return try await one ?? other
    }

    /// Notes a request before it is sent, in the journal too: from here on it may have its effect.
    private func announce(_ movement: Movement) async throws {
        context.note { $0.wallet.noteAttempt(movement) }
        try await context.journal.add(JournalLine(.asked, movement))
    }

    /// The same key every time; a refusal is certain only where no other attempt can be under way.
    private func ask(_ movement: Movement, isAlone: Bool) async throws -> String? {
        var isCertain = isAlone
        let outcome: Outcome? = try await context.retry {
            let reply = await attempt(movement)
            if case .failed = reply { isCertain = false }
            return reply
        }
        switch outcome {
        case .moved(let entry)?:
            var line = JournalLine(.moved, movement)
            line.entryId = entry.entryId
            try await context.journal.add(line)
            context.note { $0.wallet.noteEntry(entry.entryId, of: movement.key) }
            return entry.entryId
        case .insufficient?:
            context.note { $0.wallet.noteRefusal(of: movement.key, isCertain: isCertain) }
            return nil
        case nil: return nil
        }
    }

    private func attempt(_ movement: Movement) async -> Reply<Outcome> {
        let reply = await Reply<WalletEntryV1>.of {
            let (buyer, key) = (context.buyers[script.buyer], movement.key)
            if let spend = movement.undoes {
                return try await client.reverse(spend, of: buyer, key: key)
            }
            return try await client.move(
                movement.amount,
                of: movement.entitlement,
                isSpend: movement.kind == .spend,
                buyer: buyer,
                key: key
            )
        }
        return switch reply {
        case .answered(let entry): .answered(.moved(entry))
        case .rejected(let reason) where movement.kind == .spend && reason.contains("\"insufficient\""):
            .answered(.insufficient)
        case .rejected(let reason): .rejected(reason)
        case .failed(let reason): .failed(reason)
        }
    }
}
