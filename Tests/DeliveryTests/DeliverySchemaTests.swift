import Contracts
import Database
import TestKit
import Testing

@testable import Delivery

/// Stores keep the words with which they were made.
@Suite struct `The schema of every partition` {
    private static let text = DeliverySchema.schema.migrations.flatMap(\.statements).joined(separator: "\n")

    @Test func `takes every act: for a new one a further Migration is needed`() {
        let check = isOneOf("kind", Act.Kind.allCases.map(\.rawValue))
        #expect(Self.text.contains(check), "stores do not take this: add a Migration")
    }

    @Test func `compares columns with the words that are written, and with no others`() {
        let written: [String: Set<String>] = [
            "act.kind": words(of: Act.Kind.self),
            "dead_letter_audit.action": words(of: DeadLetterStore.Action.self),
        ]
        #expect(DeliverySchema.schema.words == written)
    }
}
