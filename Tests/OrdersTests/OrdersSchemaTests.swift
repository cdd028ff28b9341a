import Contracts
import Database
import Domain
import TestKit
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

    @Test func `compares columns with the words that are written, and with no others`() {
        let payments = everyCase(Self.payment(after:)).map(\.word)
        let written: [String: Set<String>] = [
            "orders.origin": words(of: OrderV1.Origin.self),
            "orders.issued_by": [OrderV1.Issuer.phone.rawValue],
            "orders.environment": [Environment.sandbox.rawValue],
            "orders.payment": Set(payments),
            "orders.unpaid_as": Set(everyCase(Self.unpaid(after:)).map(\.payment.word)),
            "orders.fulfilment": words(of: Fulfilment.self),
            "orders.close_reason": words(of: OrderCloseReason.self),
            "orders.held_by": words(of: HolderEvidence.self),
            "order_step.step": words(of: StepLogEntry.Step.self),
        ]
        #expect(OrdersSchema.schema.words == written)
        #expect(Self.text.contains("CHECK (\(isOneOf("payment", payments)))"))
    }

    private static func payment(after last: Payment?) -> Payment? {
        let id = TransactionID(unchecked: "1")
        let purchase = PaidPurchase(id: PurchaseID(id), transactionID: id)
        return switch last {
        case nil: .issued
        case .issued: .deferred
        case .deferred: .closed(.failed)
        case .closed: .paid(purchase, after: .issued)
        case .paid: .void
        case .void: nil
        }
    }

    private static func unpaid(after last: Unpaid?) -> Unpaid? {
        switch last {
        case nil: .issued
        case .issued: .deferred
        case .deferred: .closed(.failed)
        case .closed: .unplaced
        case .unplaced: nil
        }
    }

    @Test(arguments: [
        OrderStore.isAwaited, OrderStore.isUngranted, OrderStore.isWaitedFor, OrderStore.isLimited,
    ])
    func `has an index in the words of each query that needs it`(condition: String) {
        #expect(Self.text.contains("WHERE \(condition)"), "no index serves this: add a Migration")
    }
}
