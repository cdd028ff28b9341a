import AppStoreSigning
import Contracts
import Foundation
import TestKit

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

    /// Lets Apple notify the gateway about a transaction.
    func notify(_ type: String, about transaction: SignedTransaction) async throws {
        try await gateway.notify(type, about: transaction, home: home)
    }

    /// The verdict on a transaction that a phone hands in.
    func submit(
        _ buyer: String,
        _ transaction: SignedTransaction,
        intent: String? = nil
    ) async throws -> VerdictAnswer {
        let proof = try home.signer.sign(transaction: transaction)
        return try await gateway.verdict(buyer, proof: proof, intent: intent)
    }
}

extension SignedTransaction {
    /// What Apple says of a purchase that was made just now.
    static func bought(
        _ product: String = TestHome.coins,
        type: String = "Consumable",
        token: String? = nil
    ) -> SignedTransaction {
        var form = SimulatedPurchase(bundleId: TestHome.bundleID, productId: product)
        form.type = type
        form.appAccountToken = token
        return form.transaction(at: .now())
    }

    /// The same after it was paid back some time later, in ms.
    func refunded(after delay: Int64 = 1_000) -> SignedTransaction {
        refunded(at: Timestamp.now().advanced(by: delay))
    }
}

extension GatewayClient {
    /// Lets Apple notify the gateway about a transaction.
    func notify(_ type: String, about transaction: SignedTransaction, home: TestHome) async throws {
        let notification = try home.signer.notification(type, about: transaction)
        _ = try await retry(type) { try await notify(notification) }
    }

    /// Orders: the token for the payment.
    func order(_ buyer: String) async throws -> OrderAnswer {
        let reference = UUID().uuidString
        return try await retry("order") { try await issue(buyer, reference: reference, key: reference) }
            .json()
    }

    /// Orders and pays: everything but handing in the proof.
    func pay(_ buyer: String, home: TestHome, late: Bool = false) async throws -> Purchase {
        let order = try await order(buyer)
        if late { _ = try await retry("close") { try await close(order.id) } }
        let transaction = SignedTransaction.bought(token: order.appAccountToken)
        return Purchase(
            buyer: buyer,
            orderId: order.id,
            transactionId: transaction.transactionId,
            proof: try home.signer.sign(transaction: transaction)
        )
    }

    /// A whole purchase, which must be granted.
    func buy(_ buyer: String, home: TestHome, within limit: Duration = .seconds(40)) async throws -> Purchase
    {
        var purchase = try await pay(buyer, home: home)
        let verdict = try await finalVerdict(buyer, proof: purchase.proof, within: limit)
        guard verdict.finish, verdict.isGranted else { throw HarnessFault("not granted: \(verdict)") }
        purchase.receiptId = verdict.receiptId
        return purchase
    }

    /// What the gateway says of a proof as soon as it takes it.
    func verdict(
        _ buyer: String,
        proof: String,
        kind: String = "signedTransaction",
        intent: String? = nil,
        wait: Int = 20_000
    ) async throws -> VerdictAnswer {
        try await retry(kind) {
            try await submit(buyer, proof: proof, kind: kind, intent: intent, wait: wait)
        }
        .json()
    }

    /// What the gateway says of a transaction that is submitted until there is a verdict.
    func finalVerdict(
        _ buyer: String,
        proof: String,
        within limit: Duration = .seconds(40)
    ) async throws -> VerdictAnswer {
        try await retry("submission", within: limit) {
            let reply = try await submit(buyer, proof: proof)
            return reply.status == 202 ? HTTPReply(status: 503, body: reply.body) : reply
        }
        .json()
    }

    /// How a submission stands now, or after `wait` ms.
    func verdict(of receipt: String, wait: Int = 0) async throws -> VerdictAnswer {
        try await retry("verdict") { try await verdict(receipt, wait: wait) }.json()
    }

    /// Waits until a submission is granted.
    func granted(_ receipt: String, within limit: Duration) async throws {
        var last = ""
        try await eventually("\(receipt) is granted", within: limit, detail: { last }) {
            let verdict = try await verdict(of: receipt, wait: 1_000)
            last = verdict.verdict
            return verdict.finish && verdict.isGranted
        }
    }

    /// Everything that a buyer's ledger holds.
    func ledger(of buyer: String) async throws -> [LedgerAnswer.Entry] {
        var entries: [LedgerAnswer.Entry] = []
        var last: String?
        repeat {
            let page = try await retry("ledger") { try await ledger(of: buyer, after: last) }
                .json(LedgerAnswer.self)
            entries += page.entries
            last = page.next
        } while last != nil
        return entries
    }

    /// Waits until a buyer's ledger has so many entries.
    func ledger(
        of buyer: String,
        until count: Int,
        within limit: Duration = .seconds(20)
    ) async throws -> [LedgerAnswer.Entry] {
        try await eventually("\(count) entries in the ledger of \(buyer)", within: limit) {
            let entries = try await ledger(of: buyer)
            return entries.count >= count ? entries : nil
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
            let balances = try await holdings(of: buyer).balances
            guard balances["coins"] == Int64(own.count * TestHome.coinsPerPurchase) else {
                throw HarnessFault("\(buyer) paid \(own.count) times and holds \(balances)")
            }
        }
    }

    private static func check(_ entries: [LedgerAnswer.Entry], _ purchases: [Purchase]) throws {
        for purchase in purchases {
            let own = entries.filter { $0.transactionId == purchase.transactionId }
            guard own.count == 1, own.allSatisfy({ $0.order == purchase.orderId && $0.kind == "grant" })
            else {
                throw HarnessFault("\(purchase.transactionId) has \(own.count) entries: \(own)")
            }
        }
        guard entries.count == purchases.count else {
            throw HarnessFault("\(entries.count) entries for \(purchases.count) purchases")
        }
    }
}
