import Contracts
import Foundation

@testable import LoadGenerator

extension LedgerPage.Entry {
    /// An entry of a buyer's ledger, which gives or takes as its kind does.
    init(
        _ kind: String,
        _ entitlement: String,
        _ amount: Int64,
        of buyer: String = "",
        id: String = UUID().uuidString
    ) {
        self.init(
            entryId: id,
            kind: kind,
            entitlement: entitlement,
            amount: amount,
            from: "somewhere",
            to: "buyer:" + buyer,
            time: HoldingsReading.sampleTime
        )
        if ["reversal", "spend", "transferOut"].contains(kind) { (from, to) = (to, from) }
    }
}

extension EntitlementsV1 {
    /// What a buyer holds: amounts, and possessions with their ends in ms since 1970.
    init(of buyer: String, _ balances: [String: Int64], _ possessions: [String: Int64?]) {
        let possessions = possessions.map { name, ends in
            var possession = Possession(
                entitlement: name,
                productId: ProductID(unchecked: "some"),
                since: Timestamp(milliseconds: 1)
            )
            possession.expires = ends.map(Timestamp.init(milliseconds:))
            return possession
        }
        self.init(
            buyerId: BuyerID(unchecked: buyer),
            environment: .production,
            balances: balances,
            entitlements: possessions
        )
    }
}

extension HoldingsReading {
    /// Milliseconds since 1970.
    static let sampleTime: Int64 = 2_000_000_000_000

    /// What the gateway answers then.
    init(_ entitlements: EntitlementsV1, _ subscriptions: [SubscriptionsV1.Subscription]) {
        self.init(
            entitlements: entitlements,
            subscriptions: SubscriptionsV1(subscriptions: subscriptions),
            asked: Self.sampleTime,
            answered: Self.sampleTime + 5
        )
    }
}
