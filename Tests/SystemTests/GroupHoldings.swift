import Contracts
import Foundation
import TestKit

@testable import Delivery

/// What a buyer was found to hold.
struct GroupHoldings {
    let buyer: BuyerID
    let environment: Environment
    /// From the question to the answer, in ms since 1970.
    let times: ClosedRange<Int64>
    let entitlements: EntitlementsV1
    let subscriptions: SubscriptionsV1
}

/// The event of an end.
private struct GroupExpiry: Decodable {
    let id: String
    let data: EntitlementExpiredV1
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

    /// Notes what is sent of entitlements that have ended.
    func noteExpiries(_ messages: [WireMessage], from partition: GroupPartition) {
        guard partition.address.service == .entitlements else { return }
        for body in messages.flatMap(\.body) {
            let text = String(decoding: body, as: UTF8.self)
            guard text.contains(#""\#(EntitlementExpiredV1.type)""#) else { continue }
            do {
                let event = try JSONDecoder().decode(GroupExpiry.self, from: Data(body))
                guard expiries.updateValue(event.data, forKey: event.id) == nil else { continue }
                counts.count(GroupDeal.expiry)
            } catch {
                fail("no message about an end: \(error)")
            }
        }
    }
}
