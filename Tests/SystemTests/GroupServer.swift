import Contracts
import Domain
import Foundation
import TestKit

@testable import Delivery
@testable import Notifications

/// The buyers' own server, which follows the README and asks nothing; a wrong one adds possessions up like amounts.
struct GroupServer {
    typealias Account = FollowingServer.Account

    let variant: GroupVariant
    private var server = FollowingServer { !GroupChecker.possessed.contains($0) }
    /// What the wrong one adds up of possessions.
    private var possessions: [Account: [String: Int64]] = [:]
    /// Apple's notifications of purchases outside the App Store that it was told of.
    private(set) var externalPurchases: Set<String> = []

    init(_ variant: GroupVariant) { self.variant = variant }

    private var addsUpPossessions: Bool { variant == .addsUpPossessions }

    /// Takes a message; false if it was here before.
    mutating func take(_ body: String) throws -> Bool {
        guard let news = try server.take(Data(body.utf8)) else { return false }
        switch news {
        case .entitlement(let change) where addsUpPossessions: addUp(change)
        case .holding(let change) where addsUpPossessions && change.reason == .expired:
            let account = Account(buyer: change.buyerId, environment: change.environment)
            possessions[account, default: [:]][change.entitlement] = 0
        case .externalPurchase(let notified): externalPurchases.insert(notified.notificationUUID)
        case .entitlement, .holding, .other: break
        }
        return true
    }

    private mutating func addUp(_ change: EntitlementChangedV1) {
        let account = Account(buyer: change.buyerId, environment: change.environment)
        for entry in change.entries where GroupChecker.possessed.contains(entry.entitlement) {
            possessions[account, default: [:]][entry.entitlement, default: 0] += entry.change
        }
    }

    /// What the server believes that a buyer holds, each with its end.
    func holdings(of account: Account) -> [String: Int64?] {
        addsUpPossessions ? [:] : server.holdings(of: account)
    }

    /// What it has added up of purchases, where it is not 0.
    func amounts(of account: Account) -> [String: Int64] { server.amounts(of: account) }

    /// The names of what it believes that a buyer holds.
    func names(of account: Account) -> Set<String> {
        guard addsUpPossessions else { return Set(holdings(of: account).keys) }
        return Set(possessions[account, default: [:]].filter { $0.value > 0 }.keys)
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
        // What ends in the moment of the answer is told after it.
        let isTold = { (end: Int64?) in end.map { !holdings.times.contains($0) } ?? true }
        let believed = server.holdings(of: account).filter { isTold($0.value) }
        let told = Set(server.names(of: account)).subtracting(
            server.holdings(of: account).filter { !isTold($0.value) }.keys
        )
        let held = holdings.possessions.filter { isTold($0.value) }
        if told != Set(held.keys) {
            fail("the server of \(holdings.buyer) believes in \(told), not in \(held)", .toldAsHeld)
        } else if simulation.variant != .addsUpPossessions, believed != held {
            fail("the server of \(holdings.buyer) believes \(believed), not \(held)", .toldAsHeld)
        }
        // What a refund takes down to a floor is another amount when spends are lost.
        let isLedgerRestored = simulation.restore?.includes(.entitlements) == true
        let mayDiffer =
            isLedgerRestored ? forgettable(by: holdings.buyer).union([GroupProduct.floored]) : []
        let added = server.amounts(of: account).filter { !mayDiffer.contains($0.key) }
        let amounts = amounts(holdings).filter { $0.value != 0 && !mayDiffer.contains($0.key) }
        if added != amounts {
            fail("the server of \(holdings.buyer) has added up \(added), not \(amounts)", .toldAsHeld)
        }
    }

    /// Amounts of purchases whose refund was reversed: a restored ledger may know neither, and the server both or one.
    ///
    /// Of a purchase that a whole group has forgotten, and that another buyer has got since, nobody tells the server
    /// that the former one has lost it.
    private func forgettable(by buyer: BuyerID) -> Set<String> {
        let former = simulation.restore?.includesReceipts == true ? simulation.restore?.former ?? [:] : [:]
        let differing = model.expectations.filter { key, expectation in
            let isReversed = expectation.wasRefunded && expectation.newest?.refunded == 0
            guard let owner = former[key], owner.holder != claims[key]?.buyer else { return isReversed }
            return isReversed || [owner.holder, owner.payer].contains(buyer)
        }
        let goods = differing.values.flatMap { $0.transaction.product.goods(laterCatalog: true) ?? [] }
        return Set(goods.filter { $0.amount != nil }.map(\.entitlement))
    }
}
