import Contracts
import Testing

@testable import Gateway

@Suite struct `An order of Apple's that is being compensated` {
    private static let start = Timestamp(milliseconds: 1_760_000_000_000)

    private static func count(
        _ number: String,
        for buyer: String,
        in app: BundleID = BundleID(unchecked: "com.example.game")
    ) -> OperatorCountV1 {
        let proposal = CompensationProposeV1(
            proposalId: ProposalID(.compensation, shard: Shard(rawValue: 9), digest: Array(buyer.utf8)),
            bundleId: app,
            buyerId: BuyerID(unchecked: buyer),
            environment: .production,
            productId: ProductID(unchecked: "coins.100"),
            quantity: 1,
            basis: CompensationBasis(kind: .appleOrder, appleOrderId: AppleOrderID(unchecked: number)),
            reason: "ticket 4711",
            operatorId: OperatorID(unchecked: "o000000000001")
        )
        return AppleOrderReservation(of: AppleOrderID(unchecked: number), for: proposal, at: start).count
    }

    @Test func `is kept in one place for one proposal, whoever the buyer is`() {
        let (ada, bob) = (
            Self.count("MQ5LB2JHXY", for: "ada-of-game-01"), Self.count("MQ5LB2JHXY", for: "bob-of-game-02")
        )
        #expect(ada.operatorId == bob.operatorId && ada.actId == bob.actId)
        #expect(ada.proposalId != bob.proposalId, "the second one is refused")
        #expect(OperatorID.isValid(ada.operatorId.rawValue))
    }

    @Test func `is another one in another app, and with another number`() {
        let first = Self.count("MQ5LB2JHXY", for: "ada-of-game-01")
        let other = Self.count("MQ5LB2JHXZ", for: "ada-of-game-01")
        let app = Self.count(
            "MQ5LB2JHXY",
            for: "ada-of-game-01",
            in: BundleID(unchecked: "com.example.other")
        )
        #expect(Set([first, other, app].map(\.operatorId)).count == 3)
    }
}
