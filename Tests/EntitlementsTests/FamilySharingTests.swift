import Contracts
import Domain
import TestKit
import Testing

/// A castle with 500 coins, which an app receipt states without saying whose it is.
@Suite struct `a purchase whose ownership is stated later` {
    let harness = EntitlementsHarness()

    init() { harness.sell("castle", [.castle, .coins(500)], type: .nonConsumable) }

    private static func facts(
        _ ownership: String?,
        signed: Int64 = 100,
        refunded: Int? = nil
    ) -> TransactionFacts {
        let type = ProductType.nonConsumable
        return .facts("1", product: "castle", type: type, signed: signed, refunded: refunded)
            .with(\.inAppOwnershipType, ownership)
    }

    @Test(arguments: [100, 200] as [Int64])
    func `loses its amounts when a family shares it, once, and keeps its access`(signed: Int64) throws {
        #expect(try harness.grant(Self.facts(nil)).lines == ["grant castle 1", "grant coins 500"])
        let shared = Self.facts("FAMILY_SHARED", signed: signed)
        #expect(try harness.grant(shared).lines == ["reversal coins -500"])
        #expect(try harness.grant(shared).lines.isEmpty)
        #expect(try harness.grant(Self.facts(nil)).lines.isEmpty, "the receipt again")
        #expect(try harness.held() == "castle 0" && harness.audit().isEmpty)
    }

    @Test func `keeps its amounts when it was bought`() throws {
        try harness.grant(Self.facts(nil))
        #expect(try harness.grant(Self.facts("PURCHASED")).lines.isEmpty)
        #expect(try harness.held() == "castle 500" && harness.audit().isEmpty)
    }

    @Test func `loses no more than is there of a balance with a floor`() throws {
        harness.rule("coins", .floor)
        try harness.grant(Self.facts(nil))
        _ = try harness.spend(450)
        #expect(try harness.grant(Self.facts("FAMILY_SHARED")).lines == ["reversal coins -50"])
        #expect(try harness.held() == "castle 0" && harness.audit().isEmpty)
    }

    @Test func `gives and loses access alone when the family shares it no more, and again`() throws {
        try harness.grant(Self.facts(nil))
        try harness.grant(Self.facts("FAMILY_SHARED"))
        let over = Self.facts("FAMILY_SHARED", signed: 200, refunded: 100_000)
        #expect(try harness.grant(over).lines == ["reversal castle -1"])
        let again = try harness.grant(Self.facts("FAMILY_SHARED", signed: 300))
        #expect(again.lines == ["reinstatement castle 1"])
        #expect(try harness.held() == "castle 0" && harness.audit().isEmpty)
    }

    @Test func `takes amounts back of which a ledger may have told before it was restored`() throws {
        try harness.restore()
        #expect(try harness.grant(Self.facts("FAMILY_SHARED")).lines == ["reversal coins -500"])
        #expect(try harness.entries().map { "\($0.kind)" } == ["grant", "grant", "reversal"])
        #expect(try harness.held() == "castle 0" && harness.audit().isEmpty)
    }

    @Test func `gives no amounts if it is stated at once`() throws {
        #expect(try harness.grant(Self.facts("FAMILY_SHARED")).lines == ["grant castle 1"])
        #expect(try harness.grant(Self.facts(nil, signed: 50)).lines.isEmpty)
        #expect(try harness.held() == "castle 0" && harness.audit().isEmpty)
    }
}
