import Contracts
import Database
import Domain
import Foundation

@testable import Receipts

/// What must hold of one transaction, derived from the stored proofs alone.
struct GroupExpectation {
    struct Evidence {
        let receipt: String
        let buyer: BuyerID
        let hint: String?
        let isRestore: Bool
        /// Whether the phone has said that the other buyer has bought it, or has handed in an id alone.
        let isForAnother: Bool
        var isAdmitted = false
    }

    let transaction: GroupTransaction
    /// Everything that admitted proofs, and Apple, said.
    var facts: [GroupFacts] = []
    var evidence: [Evidence] = []
    /// The logins that have restored it where restores move it, and those whose phones may have died before that.
    var restorers: Set<BuyerID> = []
    var possibleRestorers: Set<BuyerID> = []
    /// Whether Apple has stated whose it is, by a phone or without.
    var isStated = false
    /// Whether Apple has said for good that it knows nothing of it.
    var isDisowned = false
    /// Whether its payer restores it a month later.
    var isReturned = false

    /// Of all that was said, what holds: the latest signature, and of two at the same time the refund.
    var newest: GroupFacts? { facts.max { ($0.signed, $0.refunded) < ($1.signed, $1.refunded) } }

    /// What the buyer has of each entitlement in the end.
    var holdings: [String: Int64] {
        guard let newest, let goods = transaction.product.goods(laterCatalog: true) else { return [:] }
        var holdings: [String: Int64] = [:]
        for item in goods where item.amount == nil || !transaction.isShared {
            let full = item.amount.map { $0 * Int64(transaction.quantity) } ?? 1
            let refunded = full * Int64(isEnded ? 100_000 : newest.refunded)
            let back = item.amount == nil ? refunded / 100_000 : (refunded + 99_999) / 100_000
            holdings[item.entitlement] = full - back
        }
        return holdings.filter { $0.value != 0 }
    }

    /// The end that the transaction must come to, once its claim is held.
    var end: GroupEnd {
        if isEnded { return .ended }
        return transaction.product.goods(laterCatalog: true) == nil ? .parked : .granted
    }

    /// Whether it was refunded in full, or in part where there are no parts.
    private var isEnded: Bool {
        let refunded = newest?.refunded ?? 0
        return refunded == 100_000 || refunded > 0 && transaction.period != nil
    }

    /// Whether its token names its buyer.
    var isNamed: Bool {
        switch transaction.token {
        case .order, .own(_, .some): true
        case .own(_, nil), .none, .garbage: false
        }
    }

    /// Whether nothing names its buyer, and nobody who has handed it in has done so for himself.
    var isForOthersAlone: Bool {
        let admitted = evidence.filter(\.isAdmitted)
        return !isNamed && !admitted.isEmpty && admitted.allSatisfy(\.isForAnother)
    }

    /// Who may hold the claim by its token and its proofs; empty when nobody can.
    func holders(_ orders: [GroupOrder]) -> Set<BuyerID> {
        switch transaction.token {
        case .order(let order) where !isDisowned: return [orders[order].buyer]
        case .own(_, let owner?) where !isDisowned: return [owner]
        case .order, .own, .none, .garbage: break
        }
        if isDisowned, let named = namedBuyer(orders), isStated, !givesAmounts { return [named] }
        var holders: Set<BuyerID> = []
        for item in evidence where item.isAdmitted {
            let named = orders.first { $0.id?.rawValue == item.hint && $0.id != nil }
            if let named, matches(named) { holders.insert(named.buyer) }
            if !item.isForAnother { holders.insert(item.buyer) }
        }
        if let named = namedBuyer(orders) { holders.insert(named) }
        return holders
    }

    func namedBuyer(_ orders: [GroupOrder]) -> BuyerID? {
        switch transaction.token {
        case .order(let order): orders[order].buyer
        case .own(_, let owner): owner
        case .none, .garbage: nil
        }
    }

    /// Whether it gives what stays with whoever has had it.
    private var givesAmounts: Bool {
        transaction.product.goods(laterCatalog: true)?.contains { $0.amount != nil } ?? true
    }

    func matches(_ order: GroupOrder) -> Bool {
        order.product == transaction.product && transaction.environment == GroupOrder.environment
    }
}

/// The rules that a simulated group must have followed, made from its script and the proofs that it kept.
struct GroupModel {
    /// A proof that was kept.
    struct Receipt {
        let buyer: BuyerID
        /// Whether it is proven to be no payment: by its signature, or by Apple's answer.
        let isNoPayment: Bool
        /// The names of the transactions in it; none of one that is no payment.
        var contents: [GroupKey] = []
    }

    private(set) var expectations: [GroupKey: GroupExpectation] = [:]
    /// The purchase of which each transaction is, by the transaction's name.
    private(set) var purchases: [GroupKey: GroupKey] = [:]
    private(set) var receipts: [String: Receipt] = [:]
    let tester: BuyerID

    init(_ simulation: GroupSimulation) throws {
        tester = simulation.services.tester
        let known = Dictionary(
            uniqueKeysWithValues: simulation.script.transactions.map { ($0.name, $0) }
        )
        purchases = known.mapValues(\.key)
        for statement in simulation.script.statements {
            let transaction = simulation.script.transactions[statement.transaction]
            expectations[transaction.key, default: .init(transaction: transaction)].facts
                .append(statement.facts)
            // A restored store may have lost it again.
            if !statement.isMissed, simulation.restore == nil {
                expectations[transaction.key]?.isStated = true
            }
        }
        noteDesk(simulation)
        let texts = Self.texts(simulation)
        let restores = Set(simulation.script.submissions.filter(\.moves).compactMap(\.receipt?.rawValue))
        let others = Self.others(simulation)
        let sql: SQL = """
            SELECT receipt_id, buyer_id, proof, kind, order_hint, purchased_by FROM submission
            ORDER BY receipt_id
            """
        for row in try simulation.rows(.receipts, sql) {
            let receipt: String = try row["receipt_id"]
            let buyer: BuyerID = try row["buyer_id"]
            let kept: [UInt8] = try row["proof"]
            let proof = kept.isEmpty ? texts[receipt] ?? "" : String(decoding: kept, as: UTF8.self)
            let refused = [GroupProofReader.forged, GroupApple.refused]
            receipts[receipt] = Receipt(buyer: buyer, isNoPayment: refused.contains { proof.hasPrefix($0) })
            guard proof.hasPrefix("[") else { continue }
            for signed in try JSONDecoder().decode([SignedTransaction].self, from: Data(proof.utf8)) {
                let evidence = GroupExpectation.Evidence(
                    receipt: receipt,
                    buyer: buyer,
                    hint: try row["order_hint"],
                    isRestore: restores.contains(receipt),
                    isForAnother: try row["purchased_by"] as String? != nil || others.contains(receipt)
                        || row["kind"] == ProofKind.transactionId
                )
                add(evidence, of: signed, known)
            }
        }
        noteRestorers(simulation.script)
        noteSilence(simulation)
    }

    /// Notes what Apple has told because an operator has asked, and to whom operators have given purchases.
    private mutating func noteDesk(_ simulation: GroupSimulation) {
        for transaction in simulation.apple.named.sorted().map({ simulation.script.transactions[$0] }) {
            expectations[transaction.key, default: .init(transaction: transaction)].facts.append(.purchase)
            expectations[transaction.key]?.isStated = true
        }
        for assignment in simulation.script.assignments where assignment.isAsked {
            let evidence = GroupExpectation.Evidence(
                receipt: "",
                buyer: assignment.buyer,
                hint: nil,
                isRestore: false,
                isForAnother: false,
                isAdmitted: true
            )
            let transaction = simulation.script.transactions[assignment.transaction]
            expectations[transaction.key, default: .init(transaction: transaction)].evidence.append(evidence)
        }
    }

    /// Notes of which purchases Apple has disowned a receipt, and which a phone's signed transaction states.
    private mutating func noteSilence(_ simulation: GroupSimulation) {
        for submission in simulation.script.submissions
        where submission.receipt.map({ receipts[$0.rawValue] != nil }) ?? false {
            guard case .transactions(let parts) = submission.content, !submission.saysNoBuyer else {
                continue
            }
            for (number, _) in parts {
                expectations[simulation.script.transactions[number].key]?.isStated = true
            }
        }
        for transaction in simulation.script.transactions
        where simulation.apple.unknown.contains(transaction.id.rawValue) {
            expectations[transaction.key]?.isDisowned = true
        }
    }

    private mutating func noteRestorers(_ script: GroupScript) {
        for submission in script.submissions where submission.moves {
            guard case .transactions(let parts) = submission.content else { continue }
            for transaction in parts.map({ script.transactions[$0.0] })
            where transaction.product.isTransferable {
                expectations[transaction.key]?.possibleRestorers.insert(submission.buyer)
                if submission.isMonthLater { expectations[transaction.key]?.isReturned = true }
                guard submission.receipt != nil else { continue }
                expectations[transaction.key]?.restorers.insert(submission.buyer)
            }
        }
    }

    /// The receipts of what another login has bought, where Receipts itself does not know it.
    private static func others(_ simulation: GroupSimulation) -> Set<String> {
        guard simulation.variant == .ignoresPurchaser else { return [] }
        let submissions = simulation.script.submissions.filter { $0.purchasedBy != nil }
        return Set(submissions.compactMap(\.receipt?.rawValue))
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

    private mutating func add(
        _ known: GroupExpectation.Evidence,
        of signed: SignedTransaction,
        _ transactions: [GroupKey: GroupTransaction]
    ) {
        let name = GroupKey(
            environment: Environment(rawValue: signed.environment),
            bundle: BundleID(unchecked: signed.bundleId),
            id: PurchaseID(unchecked: signed.transactionId)
        )
        receipts[known.receipt]?.contents.append(name)
        guard let transaction = transactions[name] else { return }
        let key = transaction.key
        var evidence = known
        evidence.isAdmitted = admits(transaction, known.buyer)
        expectations[key, default: .init(transaction: transaction)].evidence.append(evidence)
        guard evidence.isAdmitted else { return }
        let isRevoked = signed.revocationDate != nil
        let facts = GroupFacts(
            signed: signed.signedDate - signed.purchaseDate,
            refunded: isRevoked ? signed.revocationPercentage ?? 100_000 : 0,
            isUpgraded: signed.isUpgraded ?? false
        )
        expectations[key]?.facts.append(facts)
    }

    private func admits(_ transaction: GroupTransaction, _ buyer: BuyerID) -> Bool {
        guard transaction.bundle == GroupWorld.app else { return false }
        return transaction.environment == .production
            || transaction.environment == .sandbox && buyer == tester
    }
}
