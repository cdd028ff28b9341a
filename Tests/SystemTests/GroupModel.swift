import Contracts
import Database
import Domain
import Foundation
import Program
import TestKit

@testable import Receipts

/// What must hold of one transaction, derived from the stored proofs alone.
struct GroupExpectation {
    struct Evidence {
        let receipt: String
        let buyer: BuyerID
        let hint: String?
        let obstacle: String?
    }

    let transaction: GroupTransaction
    /// Everything that admitted proofs, and Apple, said.
    var facts: [GroupFacts] = []
    var evidence: [Evidence] = []

    /// Of all that was said, what holds: the latest signature, and of two at the same time the refund.
    var newest: GroupFacts? { facts.max { ($0.signed, $0.refunded) < ($1.signed, $1.refunded) } }

    var admitted: [Evidence] { evidence.filter { $0.obstacle == nil } }

    /// What the buyer has of each entitlement in the end.
    func holdings(laterCatalog: Bool) -> [String: Int64] {
        guard let newest, let goods = transaction.product.goods(laterCatalog: laterCatalog) else {
            return [:]
        }
        var holdings: [String: Int64] = [:]
        for item in goods {
            let full = item.amount.map { $0 * Int64(transaction.quantity) } ?? 1
            let refunded = full * Int64(newest.refunded)
            let back = item.amount == nil ? refunded / 100_000 : (refunded + 99_999) / 100_000
            holdings[item.entitlement] = full - back
        }
        return holdings.filter { $0.value != 0 }
    }

    /// The end that the transaction must come to, once its claim is held.
    func end(laterCatalog: Bool) -> GroupEnd {
        if newest?.refunded == 100_000 { return .ended }
        return transaction.product.goods(laterCatalog: laterCatalog) == nil ? .parked : .granted
    }

    /// Who may hold the claim; empty when nobody can.
    func holders(_ orders: [GroupOrder]) -> Set<BuyerID> {
        switch transaction.token {
        case .order(let order): return [orders[order].buyer]
        case .own(_, let owner?): return [owner]
        case .own(_, nil), .none, .garbage: break
        }
        var holders: Set<BuyerID> = []
        for item in admitted {
            let named = orders.first { $0.id?.rawValue == item.hint && $0.id != nil }
            if let named, matches(named) { holders.insert(named.buyer) }
            holders.insert(item.buyer)
        }
        return holders
    }

    func matches(_ order: GroupOrder) -> Bool {
        order.product == transaction.product && order.environment == transaction.environment
    }
}

/// The rules that a simulated group must have followed, made from its script and the proofs that it kept.
struct GroupModel {
    private(set) var expectations: [GroupKey: GroupExpectation] = [:]
    /// The purchase of which each transaction is, by the transaction's name.
    private(set) var purchases: [GroupKey: GroupKey] = [:]
    /// The names of the transactions in each kept proof; none of one that is no payment.
    private(set) var contents: [String: [GroupKey]] = [:]
    private(set) var buyers: [String: BuyerID] = [:]
    private(set) var proofs: [String: String] = [:]
    let tester: BuyerID

    init(_ simulation: GroupSimulation) throws {
        tester = simulation.services.tester
        let known = Dictionary(
            uniqueKeysWithValues: simulation.script.transactions.map { ($0.name, $0) }
        )
        purchases = known.mapValues(\.key)
        for statement in simulation.script.statements {
            add(statement, of: simulation.script.transactions[statement.transaction])
        }
        let texts = Self.texts(simulation)
        let sql = "SELECT receipt_id, buyer_id, proof, order_hint FROM submission ORDER BY receipt_id"
        for row in try simulation.rows(.receipts, sql) {
            let (receipt, buyer) = (try row[0] as String, BuyerID(unchecked: try row[1]))
            let kept = String(decoding: try row[2] as [UInt8], as: UTF8.self)
            let proof = kept.isEmpty ? texts[receipt] ?? kept : kept
            (buyers[receipt], proofs[receipt], contents[receipt]) = (buyer, proof, [])
            guard proof.hasPrefix("[") else { continue }
            for signed in try JSONDecoder().decode([SignedTransaction].self, from: Data(proof.utf8)) {
                try addEvidence(signed, receipt, buyer, try row[3], known)
            }
        }
    }

    /// What was handed in as no payment, by receipt: of what is proven to be none a service keeps the reason only.
    private static func texts(_ simulation: GroupSimulation) -> [String: String] {
        var texts: [String: String] = [:]
        for submission in simulation.script.submissions {
            guard case .text(let text) = submission.content else { continue }
            let proof = Proof(kind: submission.kind, text: text)
            let receipt = ReceiptID(bundleID: GroupWorld.app, buyer: submission.buyer, proof: proof)
            texts[receipt.rawValue] = text
        }
        return texts
    }

    /// Whether a proof is proven to be none: by its signature, or by Apple's answer.
    static func isNoPayment(_ proof: String) -> Bool {
        proof.hasPrefix(GroupProofReader.forged) || proof.hasPrefix(GroupApple.refused)
    }

    private mutating func add(_ statement: GroupStatement, of transaction: GroupTransaction) {
        expectations[transaction.key, default: .init(transaction: transaction)].facts.append(statement.facts)
    }

    private mutating func addEvidence(
        _ signed: SignedTransaction,
        _ receipt: String,
        _ buyer: BuyerID,
        _ hint: String?,
        _ known: [GroupKey: GroupTransaction]
    ) throws {
        let name = GroupKey(
            environment: Environment(rawValue: signed.environment),
            bundle: BundleID(unchecked: signed.bundleId),
            id: TransactionID(unchecked: signed.transactionId)
        )
        contents[receipt, default: []].append(name)
        guard let transaction = known[name] else { return }
        let key = transaction.key
        let item = GroupExpectation.Evidence(
            receipt: receipt,
            buyer: buyer,
            hint: hint,
            obstacle: obstacle(transaction, buyer)
        )
        expectations[key, default: .init(transaction: transaction)].evidence.append(item)
        guard item.obstacle == nil else { return }
        let isRevoked = signed.revocationDate != nil
        let facts = GroupFacts(
            signed: signed.signedDate - signed.purchaseDate,
            refunded: isRevoked ? signed.revocationPercentage ?? 100_000 : 0
        )
        expectations[key]?.facts.append(facts)
    }

    private func obstacle(_ transaction: GroupTransaction, _ buyer: BuyerID) -> String? {
        if transaction.bundle != GroupWorld.app { return "wrongApp" }
        switch transaction.environment {
        case .production: return nil
        case .sandbox: return buyer == tester ? nil : "sandboxRefused"
        default: return "wrongEnvironment"
        }
    }
}
