import TestKit
import AppStoreSigning
import Contracts
import Foundation

/// A purchase as a phone makes it.
struct Purchase: Sendable {
    let buyer: String
    let orderId: String
    let transactionId: String
    let proof: String
    var receiptId: String?
}

extension TestGroup {
    /// Orders and pays: everything but handing in the proof.
    func pay(_ buyer: String, late: Bool = false) async throws -> Purchase {
        try await gateway.pay(buyer, home: home, late: late)
    }

    /// A whole purchase, which must be granted.
    @discardableResult
    func buy(_ buyer: String, within limit: Duration = .seconds(40)) async throws -> Purchase {
        try await gateway.buy(buyer, home: home, within: limit)
    }

    /// Checks that each of these is in its buyer's ledger exactly once, and nothing else is.
    func verify(_ purchases: [Purchase]) async throws { try await gateway.verify(purchases) }
}

extension Gateway {
    /// Orders and pays: everything but handing in the proof.
    func pay(_ buyer: String, home: TestHome, late: Bool = false) async throws -> Purchase {
        let reference = UUID().uuidString
        let issued = try await insist("order") {
            try await issue(buyer, reference: reference, key: reference)
        }
        let order = try issued.json(OrderAnswer.self)
        if late { _ = try await insist("close") { try await close(order.orderId) } }
        var form = SimulatedPurchase(bundleId: TestHome.bundleID, productId: TestHome.coins)
        form.appAccountToken = order.appAccountToken
        let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
        let transaction = form.transaction(at: now)
        return Purchase(
            buyer: buyer,
            orderId: order.orderId,
            transactionId: transaction.transactionId,
            proof: try home.signer.sign(transaction: transaction)
        )
    }

    /// A whole purchase, which must be granted.
    func buy(_ buyer: String, home: TestHome, within limit: Duration = .seconds(40)) async throws -> Purchase
    {
        var purchase = try await pay(buyer, home: home)
        let reply = try await insist("submission", within: limit) {
            let reply = try await submit(purchase.buyer, proof: purchase.proof)
            return reply.status == 202 ? Reply(status: 503, body: reply.body) : reply
        }
        let verdict = try reply.json(VerdictAnswer.self)
        guard verdict.finish, verdict.verdict == "granted" else {
            throw HarnessFault("not granted: \(reply.text)")
        }
        purchase.receiptId = verdict.receiptId
        return purchase
    }

    /// Everything that a buyer's ledger holds.
    func ledger(of buyer: String) async throws -> [LedgerAnswer.Entry] {
        var entries: [LedgerAnswer.Entry] = []
        var after = ""
        while true {
            let path = "/v1/buyers/\(buyer)/ledger?limit=1000\(after)"
            let page = try await insist("ledger") { try await get(path) }.json(LedgerAnswer.self)
            entries += page.entries
            guard let next = page.next else { return entries }
            after = "&after=\(next)"
        }
    }

    /// Checks that each of these is in its buyer's ledger exactly once, and nothing else is.
    func verify(_ purchases: [Purchase]) async throws {
        for (buyer, own) in Dictionary(grouping: purchases, by: \.buyer) {
            let wanted = Set(own.map(\.transactionId))
            let entries = try await eventually(
                "all of \(buyer)'s purchases are granted",
                within: .seconds(30)
            ) {
                let entries = try await ledger(of: buyer)
                return wanted.isSubset(of: entries.map(\.transactionId)) ? entries : nil
            }
            try Self.check(entries, own)
            let holdings = try await insist("holdings") { try await get("/v1/buyers/\(buyer)/entitlements") }
                .json(HoldingsAnswer.self)
            guard holdings.balances["coins"] == own.count * TestHome.coinsPerPurchase else {
                throw HarnessFault("\(buyer) paid \(own.count) times and holds \(holdings.balances)")
            }
        }
    }

    private static func check(_ entries: [LedgerAnswer.Entry], _ purchases: [Purchase]) throws {
        for purchase in purchases {
            let own = entries.filter { $0.transactionId == purchase.transactionId }
            guard own.count == 1, own.allSatisfy({ $0.orderId == purchase.orderId && $0.kind == "grant" })
            else {
                throw HarnessFault("\(purchase.transactionId) has \(own.count) entries: \(own)")
            }
        }
        guard entries.count == purchases.count else {
            throw HarnessFault("\(entries.count) entries for \(purchases.count) purchases")
        }
    }
}
