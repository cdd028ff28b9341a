import Contracts
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Entitlements

/// Purchases that may be what was compensated, and stay beside it.
extension `Compensations in a ledger` {
    private func keptCount() throws -> Int { try acts().count { $0 == "compensationKept" } }

    @Test func `that stay are in the record and told once, not again when the purchase is refunded`() throws {
        try give()
        let later = harness.now.advanced(by: Limits.clockToleranceMilliseconds + 1)
        try prove(.facts().with(\.purchaseDate, later).with(\.signedDate, later))
        #expect(try keptCount() == 1 && harness.alarms.count == 1)
        var refund = TransactionFacts.facts(refunded: 100_000).with(\.purchaseDate, later)
        refund.signedDate = later.advanced(by: 1)
        try prove(refund)
        #expect(try keptCount() == 1 && harness.alarms.isEmpty)
        #expect(try harness.held() == "100")
    }

    @Test func `are not told of a purchase that was refunded before it came`() throws {
        try give()
        try prove(.facts(signed: 200, refunded: 100_000), because: .caller)
        #expect(try keptCount() == 0 && harness.alarms.isEmpty)
    }

    @Test func `that stay beside a parked purchase are told when it is judged again`() throws {
        try give()
        let later = harness.now.advanced(by: Limits.clockToleranceMilliseconds + 1)
        let unknown = TransactionFacts.facts(product: "never.heard")
        try prove(unknown.with(\.purchaseDate, later).with(\.signedDate, later))
        #expect(try keptCount() == 0)
        harness.sell("never.heard", [.coins(5)])
        _ = try harness.retry()
        #expect(try keptCount() == 1 && harness.alarms.count == 1)
    }

    @Test(arguments: [.order, .token, .caller] as [HolderEvidence])
    func `on an order of Apple's whose transactions nobody knows are told of each purchase`(
        evidence: HolderEvidence
    ) throws {
        try give(basis: Self.appleOrder)
        try prove(because: evidence)
        #expect(try keptCount() == 1)
        #expect(harness.alarms.count == 1 && harness.alarms[0].contains("does not name its order"))
    }

    @Test func `on an order of Apple's whose transactions are known are not told of others`() throws {
        let basis = CompensationBasis(
            kind: .appleOrder,
            appleOrderId: Self.appleOrder.appleOrderId,
            transactionIds: [TransactionID(unchecked: "7")]
        )
        try give(basis: basis)
        try prove(because: .caller)
        #expect(try keptCount() == 0 && harness.alarms.isEmpty)
    }
}
