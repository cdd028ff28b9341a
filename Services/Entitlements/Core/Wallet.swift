import Contracts
import Domain

/// Judges what a buyer's server asks of the wallet, by what the ledger says in the same transaction.
///
/// Tested by: `WalletTests`.
///
/// | the key was used | request | judgement |
/// |---|---|---|
/// | for the same content | any | repeated: the same reply, whatever the balance is now |
/// | for other content | any | refused: keyReused |
/// | no | spend of more than there is | refused: insufficient; the key is not used up |
/// | no | spend | the amount goes from the buyer to `spent:<reason>` |
/// | no | credit | the amount goes from `earned:<reason>` to the buyer |
/// | no | spend or credit of what is not counted, or of too much | refused: invalid |
/// | no | reversal of a spend that was reversed | refused: alreadyReversed |
/// | no | reversal of a spend | the amount goes back, once |
/// | no | reversal of anything else | refused: not found |
enum Wallet {
    /// The largest balance that credits may reach; far below what a store can count.
    static let maximumBalance: Int64 = 1_000_000_000_000_000

    /// An entry that the wallet gets.
    struct Change: Hashable, Sendable {
        var kind: LedgerEntry.Kind
        var entitlement: String
        /// At least 1.
        var amount: Int64
        /// Where it goes, or comes from.
        var account: LedgerAccount
        var environment: Environment
        var undoes: EntryID?
        /// The balance after it.
        var balance: Int64
    }

    /// `balance` is the present one; `metadataBytes` the size of the metadata as JSON, 0 without any.
    static func move(
        _ request: WalletMoveV1,
        balance: Int64,
        isCounted: Bool,
        metadataBytes: Int
    ) throws(RequestRefusal) -> Change {
        let (isCredit, amount) = (request.kind == .credit, request.amount)
        guard isCounted else { throw .notCounted }
        guard Limits.walletAmounts.contains(amount) else { throw .amount }
        guard request.reason?.isPrintable(bytes: Limits.referenceBytes) != false else { throw .reason }
        guard metadataBytes <= Limits.metadataBytes else { throw .metadata }
        guard isCredit || balance >= amount else { throw .insufficient }
        guard !isCredit || balance <= maximumBalance - amount else { throw .balanceTooLarge }
        return Change(
            kind: isCredit ? .credit : .spend,
            entitlement: request.entitlement,
            amount: amount,
            account: isCredit ? .earned(request.reason) : .spent(request.reason),
            environment: request.environment,
            balance: isCredit ? balance + amount : balance - amount
        )
    }

    /// `entry` is what the request names, if the buyer's ledger has it; `balance` that of its entitlement.
    static func reverse(
        _ entry: LedgerEntry?,
        isReversed: Bool,
        balance: Int64
    ) throws(RequestRefusal) -> Change {
        guard let entry, entry.kind == .spend, let id = EntryID(rawValue: entry.entryId) else {
            throw .noSuchSpend
        }
        guard !isReversed else { throw .alreadyReversed }
        return Change(
            kind: .spendReversal,
            entitlement: entry.entitlement,
            amount: entry.amount,
            account: entry.to,
            environment: entry.environment,
            undoes: id,
            balance: balance + entry.amount
        )
    }
}

extension Catalog {
    /// Whether an entitlement can be spent: a product grants an amount of it, or it is named among the entitlements.
    func isSpendable(_ entitlement: String) -> Bool {
        isCounted(entitlement) ?? hasRules(for: entitlement)
    }
}

extension RequestRefusal {
    static let keyReused = RequestRefusal(
        .conflict,
        "The Idempotency-Key was used for a request with other content.",
        field: "Idempotency-Key",
        reason: "keyReused"
    )
    static let insufficient = RequestRefusal(
        .conflict,
        "The buyer has less than this amount.",
        field: "amount",
        reason: "insufficient"
    )
    static let alreadyReversed = RequestRefusal(
        .conflict,
        "The spend was given back already.",
        reason: "alreadyReversed"
    )
    static let noSuchSpend = RequestRefusal(
        .notFound,
        "The buyer has no spend with this id.",
        field: "entryId"
    )
    static let notCounted = invalid("entitlement", "No product grants amounts of this entitlement.")
    static let amount = invalid(
        "amount",
        "The amount must be from \(Limits.walletAmounts.lowerBound) to \(Limits.walletAmounts.upperBound)."
    )
    static let balanceTooLarge = invalid(
        "amount",
        "The balance would be larger than \(Wallet.maximumBalance)."
    )
    static let reason = invalid(
        "reason",
        "The reason must be printable text of at most \(Limits.referenceBytes.upperBound) bytes."
    )
    static let metadata = invalid(
        "metadata",
        "The metadata must not exceed \(Limits.metadataBytes) bytes of JSON."
    )

    static func invalid(_ field: String, _ detail: String) -> RequestRefusal {
        RequestRefusal(.invalid, detail, field: field)
    }
}
