import Contracts
import Domain
import TestKit
import Testing

@testable import Entitlements

/// Ada holds it, and it is to go to Eve by the first transfer.
@Suite struct `the judgement of a transfer` {
    private static let refund = TransactionFacts.facts(signed: 200, refunded: 100_000)

    private static func grant(
        _ state: Grant.State,
        _ goods: [Goods] = [Goods(entitlement: "castle")],
        holderStatus: HolderStatus = HolderStatus(),
        facts: TransactionFacts = .facts()
    ) -> Grant {
        Grant(buyerId: .ada, state: state, facts: facts, goods: goods, holderStatus: holderStatus)
    }

    /// By a catalog that says `transfer` and offers a castle, unless a test says otherwise.
    private static func judge(
        _ grant: Grant?,
        _ cause: TransferCause,
        isAnswered: Bool = false,
        rule: Catalog.OtherLoginRule = .transfer,
        offering grants: [Catalog.Grant] = [.castle],
        _ facts: TransactionFacts = .facts()
    ) -> TransferJudgement {
        let request = TransferRequestedV1(
            transaction: facts,
            orderId: OrderTerms.studio.orderId,
            buyerId: .ada,
            toBuyerId: .eve,
            transfer: 1,
            isAnswered: isAnswered,
            cause: cause
        )
        let offer = Catalog.Lookup.active(type: .consumable, grants: grants)
        return TransferJudgement(grant, request, rule: rule, offer: offer)
    }

    @Test(arguments: TransferCause.allCases, [false, true])
    func `tells again what is known of this transfer or a later one`(cause: TransferCause, isAnswered: Bool) {
        let left = HolderStatus(last: 2, leftTo: .eve)
        let forfeited = HolderStatus(last: 1, leftTo: .eve, forfeited: .evidence)
        let rows: [(Grant, TransferJudgement)] = [
            (Self.grant(.granted, [], holderStatus: left), .again(.eve, transfer: 2, .restore)),
            (Self.grant(.void, [], holderStatus: forfeited), .again(.eve, transfer: 1, .evidence)),
            (Self.grant(.granted, [], holderStatus: HolderStatus(last: 1)), .kept),
        ]
        for (grant, expected) in rows {
            #expect(Self.judge(grant, cause, isAnswered: isAnswered) == expected)
        }
    }

    /// The other rows of the table, each with what is answered to a restore where the rule is to transfer.
    private static let unanswered: [(grant: Grant?, restore: TransferJudgement)] = [
        (nil, .taken), (grant(.parked(.unknownProduct), []), .kept), (grant(.tombstone, []), .taken),
        (grant(.granted), .taken), (grant(.reversed, facts: refund), .taken),
        (grant(.granted, holderStatus: HolderStatus(first: 1)), .taken),
    ]

    @Test func `of a restore goes by the rule, unless it was answered before`() {
        for (grant, expected) in Self.unanswered {
            #expect(Self.judge(grant, .restore) == expected)
            #expect(Self.judge(grant, .restore, rule: .conflict) == .kept)
            #expect(Self.judge(grant, .restore, isAnswered: true, rule: .conflict) == .taken)
        }
    }

    @Test(arguments: [Catalog.OtherLoginRule.transfer, .conflict], [false, true])
    func `of an operator, and of evidence about possessions, heeds no rule`(
        rule: Catalog.OtherLoginRule,
        isAnswered: Bool
    ) {
        for (grant, _) in Self.unanswered {
            #expect(Self.judge(grant, .evidence, isAnswered: isAnswered, rule: rule) == .forfeited)
            let goods: [Catalog.Grant] = [.castle, .coins(100)]
            let decided = Self.judge(grant, .reassign, isAnswered: isAnswered, rule: rule, offering: goods)
            #expect(decided == .forfeited)
        }
    }

    @Test func `of evidence leaves what gave amounts, or owes them, to its holder`() {
        let goods = [Goods(entitlement: "coins", amount: 100), Goods(entitlement: "castle")]
        let rows: [(Grant?, TransferJudgement)] = [
            (nil, .kept), (Self.grant(.parked(.unknownProduct), []), .kept),
            (Self.grant(.granted, goods), .kept),
            (Self.grant(.granted, holderStatus: HolderStatus(first: 1)), .kept),
            (Self.grant(.reversed, goods, facts: Self.refund), .kept),
            (Self.grant(.tombstone, [], facts: Self.refund), .forfeited),
            (Self.grant(.granted), .forfeited),
        ]
        for (grant, expected) in rows {
            let offering: [Catalog.Grant] = [.castle, .coins(100)]
            let judged = Self.judge(grant, .evidence, offering: offering)
            #expect(judged == expected, "\(String(describing: grant))")
            #expect(Self.judge(grant, .evidence, isAnswered: true, offering: offering) == .forfeited)
        }
        let gave = Self.grant(.granted, goods)
        #expect(Self.judge(gave, .evidence) == .kept, "whatever the catalog says by now")
        #expect(Self.judge(nil, .evidence, offering: [.coins(100)], Self.refund) == .forfeited)
    }
}
