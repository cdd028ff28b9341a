import Contracts
import Foundation
import TestKit

@testable import Delivery
@testable import Notifications

/// The buyers' own server, which follows the README and asks nothing: it sets what is held by the last word about it,
/// and adds up amounts by their entries.
struct GroupServer {
    struct Account: Hashable {
        let buyer: BuyerID
        let environment: Environment
    }

    private struct Webhook<Content: Decodable>: Decodable {
        let data: Content
    }

    private struct Envelope: Decodable {
        let id: String
        let type: String
    }

    let variant: GroupVariant
    private var seen: Set<String> = []
    /// What is held, and until when in ms since 1970; nil is for ever.
    private var held: [Account: [String: Int64?]] = [:]
    private var amounts: [Account: [String: Int64]] = [:]
    /// Apple's notifications of purchases outside the App Store that it was told of.
    private(set) var externalPurchases: Set<String> = []

    init(_ variant: GroupVariant) { self.variant = variant }

    /// Takes a message; false if it was here before.
    mutating func take(_ body: String) throws -> Bool {
        let text = Data(body.utf8)
        let envelope = try JSONDecoder().decode(Envelope.self, from: text)
        guard seen.insert(envelope.id).inserted else { return false }
        switch envelope.type {
        case EntitlementChangedV1.type.rawValue:
            note(try JSONDecoder().decode(Webhook<EntitlementChangedV1>.self, from: text).data)
        case HoldingChangedV1.type.rawValue:
            note(try JSONDecoder().decode(Webhook<HoldingChangedV1>.self, from: text).data)
        case ExternalPurchaseNotifiedV1.type.rawValue:
            let notified = try JSONDecoder().decode(Webhook<ExternalPurchaseNotifiedV1>.self, from: text).data
            externalPurchases.insert(notified.notificationUUID)
        default: break
        }
        return true
    }

    private mutating func note(_ change: EntitlementChangedV1) {
        let account = Account(buyer: change.buyerId, environment: change.environment)
        for entry in change.entries {
            let isAmount = !GroupChecker.possessed.contains(entry.entitlement)
            guard isAmount || variant == .addsUpPossessions else { continue }
            amounts[account, default: [:]][entry.entitlement, default: 0] += entry.change
        }
    }

    private mutating func note(_ change: HoldingChangedV1) {
        let account = Account(buyer: change.buyerId, environment: change.environment)
        if variant == .addsUpPossessions {
            if change.reason == .expired { amounts[account, default: [:]][change.entitlement] = 0 }
            return
        }
        held[account, default: [:]][change.entitlement] =
            change.held ? .some(change.expires?.milliseconds) : nil
    }

    /// What the server believes that a buyer holds, each with its end.
    func holdings(of account: Account) -> [String: Int64?] { held[account, default: [:]] }

    /// What it has added up of purchases, where it is not 0.
    func amounts(of account: Account) -> [String: Int64] {
        amounts[account, default: [:]].filter { $0.value != 0 && !GroupChecker.possessed.contains($0.key) }
    }

    /// The names of what it believes that a buyer holds.
    func names(of account: Account) -> Set<String> {
        guard variant == .addsUpPossessions else { return Set(holdings(of: account).keys) }
        let added = amounts[account, default: [:]].filter { $0.value > 0 }.map(\.key)
        return GroupChecker.possessed.intersection(added)
    }
}

extension GroupSimulation {
    /// Brings a webhook to the buyers' server, which may be down, and whose answer may be lost.
    func call(_ work: GroupWork) throws -> [UInt8] {
        let isDown = hasFaults && random.happens(perMille: 100)
        if isDown {
            fault(.serverDown)
        } else if try !server.take(WebhookJob(payload: work.item.payload).body) {
            counts.count(GroupDeal.repeatedWebhook)
        }
        let isLost = hasFaults && random.happens(perMille: 100)
        return Array((isDown || isLost ? "no answer" : "204").utf8)
    }
}

extension GroupChecker {
    /// The server believes what it would be answered.
    func checkServer(_ holdings: GroupHoldings) {
        let account = GroupServer.Account(buyer: holdings.buyer, environment: holdings.environment)
        let server = simulation.server
        let answer = Dictionary(
            holdings.entitlements.entitlements.map { ($0.entitlement, $0.expires?.milliseconds) },
            uniquingKeysWith: { first, _ in first }
        )
        // What ends in the moment of the answer is told after it.
        let isSettled = { (end: Int64?) in end.map { !holdings.times.contains($0) } ?? true }
        let believed = server.holdings(of: account).filter { isSettled($0.value) }
        let told = Set(server.names(of: account)).subtracting(
            server.holdings(of: account).filter { !isSettled($0.value) }.keys
        )
        let held = answer.filter { isSettled($0.value) }
        if told != Set(held.keys) {
            fail("the server of \(holdings.buyer) believes in \(told), not in \(held)", .toldAsHeld)
        } else if simulation.variant != .addsUpPossessions, believed != held {
            fail("the server of \(holdings.buyer) believes \(believed), not \(held)", .toldAsHeld)
        }
        var amounts: [String: Int64] = [:]
        for line in lines where line.buyer == holdings.buyer && line.key.environment == holdings.environment {
            if !Self.possessed.contains(line.entitlement) {
                amounts[line.entitlement, default: 0] += line.change
            }
        }
        let added = server.amounts(of: account)
        if added != amounts.filter({ $0.value != 0 }) {
            fail("the server of \(holdings.buyer) has added up \(added), not \(amounts)", .toldAsHeld)
        }
    }
}
