import Contracts

// Lives to whose access nothing happens, whatever is said.

extension SubscriptionLife {
    /// What Apple says of the next renewal, and of consent to its price: 0 is asked for, 1 given or not needed.
    private static func renewal(renews: Bool? = nil, consent: Int64) -> [String: JSONValue] {
        var renewal: [String: JSONValue] = [
            "autoRenewProductId": .string("vip.month"), "priceIncreaseStatus": .integer(consent),
        ]
        renewal["autoRenewStatus"] = renews.map { .integer($0 ? 1 : 0) }
        return renewal
    }

    /// A price increase that is asked for, and what the buyer answers before the renewal, or never.
    ///
    /// That the answer has come shows in `autoRenew`, of which the question says nothing.
    static func priceIncreases(_ chain: ChainOfPeriods) -> [SubscriptionLife] {
        let (running, answered) = (chain.period(1, -1, 29), chain.period(1, -1, 29, signed: 1))
        let over = chain.period(1, -31, -1)
        func asked(_ period: SignedTransaction) -> SubscriptionEvent {
            SubscriptionEvent("PRICE_INCREASE", "PENDING", period, renewal: renewal(consent: 0))
        }
        let accepted = renewal(renews: true, consent: 1)
        let refused = renewal(renews: false, consent: 0)
        let ended = chain.period(1, -31, -1, signed: 1)
        return [
            SubscriptionLife("price consent that is given", running)
                .told(asked(running), .init("PRICE_INCREASE", "ACCEPTED", answered, renewal: accepted))
                .ends(.active, until: 29) { $0.autoRenew == true },
            SubscriptionLife("price consent that is refused, which ends nothing before its time", running)
                .told(asked(running))
                .told(.init("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", answered, renewal: refused))
                .ends(.active, until: 29) { $0.autoRenew == false },
            SubscriptionLife("price consent that never came", over)
                .told(asked(over), .init("EXPIRED", "PRICE_INCREASE", ended, renewal: refused))
                .ends(.expired, until: -1, held: []) { $0.autoRenew == false },
        ]
    }

    /// Apple's status, and the catalog's rank: neither decides anything.
    static func withWordsThatDecideNothing(_ chain: ChainOfPeriods) -> [SubscriptionLife] {
        let running = chain.period(1, -1, 29)
        let statuses = (1...5).map { status -> SubscriptionLife in
            var said = SubscriptionEvent(
                "DID_CHANGE_RENEWAL_STATUS",
                "AUTO_RENEW_ENABLED",
                running,
                renewal: renewal(renews: true, consent: 1)
            )
            said.status = status
            return SubscriptionLife("status \(status)", running)
                .told(said)
                .ends(.active, until: 29) { $0.autoRenew == true }
        }
        let club = chain.period(1, -5, 25, "club.month")
        let lower = SubscriptionLife("a change at once to a product of lower rank", club)
            .told(.init("DID_RENEW", chain.period(2, -1, 29, signed: 1)))
            .ends(.active, until: 29)
        return statuses + [lower]
    }
}
