import Contracts
import Database
import Testing

@testable import Receipts

/// Stores keep the words with which they were made.
@Suite struct `The schema of receipts` {
    private static let text = ReceiptsSchema.schema.migrations.flatMap(\.statements).joined(separator: "\n")

    @Test(arguments: [
        isOneOf("held_by", HolderEvidence.allCases.map(\.rawValue)),
        isOneOf("transfer_cause", TransferCause.allCases.map(\.rawValue)),
        isOneOf("cause", TransferCause.allCases.map(\.rawValue)),
        isOneOf("state", ServerNotificationAssessment.State.allCases.map(\.rawValue)),
        isOneOf("renewal_check_stage", RenewalCheck.Due.Stage.allCases.map(\.rawValue)),
    ])
    func `takes every word that is written: for a new one a further Migration is needed`(check: String) {
        #expect(Self.text.contains(check), "stores do not take this: add a Migration")
    }

    @Test func `has an index in the words of the query that needs it`() {
        let words = "WHERE \(ClaimStore.mayBeAwaited)"
        #expect(Self.text.contains(words), "no index serves this: add a Migration")
    }
}
