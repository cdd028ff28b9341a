import Contracts
import Foundation

@testable import Delivery

/// What a buyer was found to hold.
struct GroupHoldings {
    let buyer: BuyerID
    let environment: Environment
    /// From the question to the answer, in ms since 1970.
    let times: ClosedRange<Int64>
    let entitlements: EntitlementsV1
    let subscriptions: SubscriptionsV1

    /// What is owned, each with its end.
    var possessions: [String: Int64?] {
        let owned = entitlements.entitlements.map { ($0.entitlement, $0.expires?.milliseconds) }
        return Dictionary(owned) { first, _ in first }
    }
}

/// The event of a holding.
private struct GroupHoldingEvent: Decodable {
    let id: String
    let data: HoldingChangedV1
}

extension GroupSimulation {
    /// Asks what everybody holds, and how their subscriptions stand.
    func askFinalHoldings() {
        for buyer in [buyers.0, buyers.1] {
            for environment in [Environment.production, .sandbox] {
                askEntitlements(of: buyer, in: environment, since: moment.now.milliseconds)
            }
        }
    }

    private func askEntitlements(of buyer: BuyerID, in environment: Environment, since time: Int64) {
        let question = EntitlementsGetV1(bundleId: GroupWorld.app, buyerId: buyer, environment: environment)
        ask(question, of: partition(.entitlements, of: buyer)) {
            $0.askEntitlements(of: buyer, in: environment, since: time)
        } answered: {
            $0.askSubscriptions(beside: $1, since: time)
        }
    }

    private func askSubscriptions(beside entitlements: EntitlementsV1, since time: Int64) {
        let (buyer, environment) = (entitlements.buyerId, entitlements.environment)
        let question = SubscriptionsGetV1(bundleId: GroupWorld.app, buyerId: buyer, environment: environment)
        ask(question, of: partition(.entitlements, of: buyer)) {
            $0.askSubscriptions(beside: entitlements, since: time)
        } answered: { simulation, subscriptions in
            simulation.finalHoldings.append(
                GroupHoldings(
                    buyer: buyer,
                    environment: environment,
                    times: time...simulation.moment.now.milliseconds,
                    entitlements: entitlements,
                    subscriptions: subscriptions
                )
            )
        }
    }

    /// Notes what is sent of holdings.
    func noteHoldings(_ messages: [WireMessage], from partition: GroupPartition) {
        guard partition.address.service == .entitlements else { return }
        for body in messages.flatMap(\.body) {
            let text = String(decoding: body, as: UTF8.self)
            guard text.contains(#""\#(HoldingChangedV1.type)""#) else { continue }
            attempt("no message about a holding", else: ()) {
                let event = try JSONDecoder().decode(GroupHoldingEvent.self, from: Data(body))
                guard toldHoldings.updateValue(event.data, forKey: event.id) == nil else { return }
                note(event.data)
            }
        }
    }

    private func note(_ told: HoldingChangedV1) {
        let key = [told.buyerId.rawValue, told.environment.rawValue, told.entitlement]
        let known = lastHoldings.updateValue(told, forKey: key)
        // A restored ledger does not know what it has told since.
        if restore?.includes(.entitlements) != true, let known,
            (known.held, known.expires) == (told.held, told.expires)
        {
            fail("the same is told again: \(told)", .nothingTwice)
        }
        switch (told.held, told.reason, known?.reason) {
        case (false, .expired, _): counts.count(GroupDeal.expiry)
        case (false, .refunded, _): counts.count(GroupDeal.endByRefund)
        case (false, .transferred, _): counts.count(GroupDeal.endByTransfer)
        case (true, _, .expired): counts.count(GroupDeal.revival)
        default: break
        }
    }
}
