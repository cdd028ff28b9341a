import Contracts
import Database
import TestKit
import Testing

@testable import Entitlements

/// Stores keep the words with which they were made.
@Suite struct `The schema of entitlements` {
    private static let text =
        EntitlementsSchema.schema.migrations.flatMap(\.statements).joined(separator: "\n")

    @Test(arguments: [
        isOneOf("route", WalletRequest.Route.allCases.map(\.rawValue)),
        isOneOf("basis", CompensationBasis.Kind.allCases.map(\.rawValue)),
        isOneOf("state", CompensationV1.State.allCases.map(\.rawValue)),
    ])
    func `takes every word that is written: for a new one a further Migration is needed`(check: String) {
        #expect(Self.text.contains(check), "stores do not take this: add a Migration")
    }

    @Test func `compares columns with the words that are written, and with no others`() {
        let grants = Set(everyCase(Self.grant(after:)).map(\.name)).subtracting([Grant.State.unseen.name])
        let written: [String: Set<String>] = [
            "grants.state": grants,
            "ledger.kind": words(of: LedgerEntry.Kind.self),
            "ledger.from_account": [LedgerAccount.buyers],
            "ledger.to_account": [LedgerAccount.buyers],
            "wallet_request.route": words(of: WalletRequest.Route.self),
            "compensation.basis": words(of: CompensationBasis.Kind.self),
            "compensation.state": words(of: CompensationV1.State.self),
        ]
        #expect(EntitlementsSchema.schema.words == written)
    }

    private static func grant(after last: Grant.State?) -> Grant.State? {
        switch last {
        case nil: .unseen
        case .unseen: .parked(.unknownProduct)
        case .parked: .tombstone
        case .tombstone: .granted
        case .granted: .reversed
        case .reversed: .void
        case .void: nil
        }
    }

    @Test(arguments: LedgerEntry.Kind.allCases)
    func `takes every kind of entry, in its direction: for a new one a further Migration is needed`(
        kind: LedgerEntry.Kind
    ) throws {
        let known = try #require(Self.line("ledger_known_kind"))
        let coming = try #require(Self.line("ledger_direction_of_kind"))
        let word = "kind = '\(kind.rawValue)'"
        #expect(known.contains(word), "stores do not take this: add a Migration")
        #expect(coming.contains(word) == kind.isForBuyer, "stores do not take this: add a Migration")
    }

    private static func line(_ constraint: String) -> Substring? {
        text.split(separator: "\n").last { $0.contains("CONSTRAINT \(constraint) ") }
    }
}
