import Contracts
import Database
import Domain
import Testing

@testable import Orders

/// Stores keep the words with which they were made.
@Suite struct `The schema of orders` {
    private static let text = OrdersSchema.schema.migrations.flatMap(\.statements).joined(separator: "\n")

    @Test(arguments: [
        isOneOf("origin", OrderV1.Origin.allCases.map(\.rawValue)),
        isOneOf("fulfilment", Fulfilment.allCases.map(\.rawValue)),
        isOneOf("close_reason", OrderCloseReason.allCases.map(\.rawValue)),
        isOneOf("held_by", HolderEvidence.allCases.map(\.rawValue)),
        isOneOf("step", StepLogEntry.Step.allCases.map(\.rawValue)),
        "position BETWEEN 0 AND \(Limits.stepLogEntries - 1)",
    ])
    func `takes every word and number that is written: for a new one a further Migration is needed`(
        check: String
    ) {
        #expect(Self.text.contains(check), "stores do not take this: add a Migration")
    }

    @Test(arguments: [
        OrderStore.isAwaited, OrderStore.isUngranted, OrderStore.isWaitedFor, OrderStore.isLimited,
    ])
    func `has an index in the words of each query that needs it`(condition: String) {
        #expect(Self.text.contains("WHERE \(condition)"), "no index serves this: add a Migration")
    }
}
