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
        return [
            SubscriptionLife(
                name: "price consent that is given",
                first: running,
                events: [asked(running), .init("PRICE_INCREASE", "ACCEPTED", answered, renewal: accepted)],
                state: .active,
                accessUntil: 29,
                expires: 29
            ) { $0.autoRenew == true },
            SubscriptionLife(
                name: "price consent that is refused, which ends nothing before its time",
                first: running,
                events: [
                    asked(running),
                    .init("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", answered, renewal: refused),
                ],
                state: .active,
                accessUntil: 29,
                expires: 29
            ) { $0.autoRenew == false },
            SubscriptionLife(
                name: "price consent that never came",
                first: over,
                events: [
                    asked(over),
                    .init(
                        "EXPIRED",
                        "PRICE_INCREASE",
                        chain.period(1, -31, -1, signed: 1),
                        renewal: refused
                    ),
                ],
                state: .expired,
                accessUntil: -1,
                expires: -1,
                held: []
            ) { $0.autoRenew == false },
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
            return SubscriptionLife(
                name: "status \(status)",
                first: running,
                events: [said],
                state: .active,
                accessUntil: 29,
                expires: 29
            ) { $0.autoRenew == true }
        }
        let lower = SubscriptionLife(
            name: "a change at once to a product of lower rank",
            first: chain.period(1, -5, 25, "club.month"),
            events: [.init("DID_RENEW", chain.period(2, -1, 29, signed: 1))],
            state: .active,
            accessUntil: 29,
            expires: 29
        )
        return statuses + [lower]
    }
}
