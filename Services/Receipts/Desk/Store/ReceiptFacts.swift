import Contracts
import Database
import Delivery
import Domain

/// What the rows of submissions, claims and Apple's notifications say to people.
struct ReceiptFacts {
    /// The newest purchases of a subscription, and proofs of a buyer, that a search reads.
    static let purchasesOfChain = 20
    static let proofsOfBuyer = 10

    let connection: any Connection
    /// The present, in which a proposal may be void though no row says so.
    let now: Timestamp

    /// What is known of proofs, purchases, transactions and buyers by their ids.
    func find(_ request: FactsFindV1) throws -> FoundFacts {
        var found = FoundFacts()
        let claims = ToldClaims(connection: connection)
        for text in request.texts {
            if let receipt = ReceiptID(rawValue: text) {
                try add(submissions: "receipt_id = \(receipt)", to: &found)
            }
            for app in request.bundleIds {
                try add(
                    submissions: Self.undecided(of: text, in: app),
                    first: Self.proofsOfBuyer,
                    to: &found
                )
            }
            if let order = AppleOrderID(rawValue: text) { try add(order, to: &found) }
            if let proposal = ProposalID(rawValue: text) { try add(proposal, to: &found) }
            if let purchase = PurchaseID(rawValue: text) {
                try claims.add(purchase, to: &found)
                try add(notificationsAbout: purchase, to: &found)
            }
            if let transaction = TransactionID(rawValue: text) {
                try add(ordersOf: transaction, to: &found)
            }
        }
        for account in request.accounts {
            found.buyers += try AccountBuyerStore(connection: connection).buyers(of: account)
        }
        return found
    }

    private func add(_ order: AppleOrderID, to found: inout FoundFacts) throws(StoreError) {
        for record in try AppleOrderStore(connection: connection).records(order) {
            let state = AppleOrderQuestion(record).answer.state
            var fact = DeskFact(state == .asked ? .appleOrderAsked : .appleOrderUnknown, at: record.askedAt)
            (fact.bundleId, fact.detail) = (record.bundleID, order.rawValue)
            let transactions = record.transactions ?? []
            if transactions.isEmpty {
                fact.appleOrderId = order
                found.facts.append(fact)
            }
            for transaction in transactions {
                (fact.kind, fact.transactionId) = (.appleOrder, transaction)
                found.facts.append(fact)
            }
            found.related += transactions.map(\.rawValue)
        }
    }

    /// A move that an operator has proposed; a compensation is not kept here.
    private func add(_ id: ProposalID, to found: inout FoundFacts) throws(StoreError) {
        guard let proposal = try ReassignmentStore(connection: connection).proposal(id) else { return }
        let changedAt = proposal.endedAt ?? proposal.confirmedAt ?? proposal.proposedAt
        var fact = DeskFact(.moveProposed, at: changedAt)
        (fact.bundleId, fact.environment) = (proposal.bundleId, proposal.environment)
        (fact.purchaseId, fact.reference) = (proposal.purchaseId, id.rawValue)
        (fact.buyerId, fact.otherBuyerId) = (proposal.buyerId, proposal.holderId)
        (fact.productId, fact.quantity) = (proposal.productId, proposal.quantity)
        let isOver = Approval.isVoid(proposedAt: proposal.proposedAt, at: now)
        fact.word =
            switch ProposedReassignment(proposal).state {
            case .proposed: isOver ? "void" : "proposed"
            case .confirmed: "confirmed"
            case .ended: "void"
            }
        fact.detail = proposal.reason
        if !found.facts.contains(fact) { found.facts.append(fact) }
        found.related.append(proposal.purchaseId.rawValue)
    }

    /// Which orders of Apple's have it; what else these have is found by their numbers.
    private func add(ordersOf transaction: TransactionID, to found: inout FoundFacts) throws(StoreError) {
        for record in try AppleOrderStore(connection: connection).records(with: transaction) {
            var fact = DeskFact(.appleOrder, at: record.askedAt)
            (fact.bundleId, fact.detail) = (record.bundleID, record.order.rawValue)
            fact.transactionId = transaction
            if !found.facts.contains(fact) { found.facts.append(fact) }
        }
    }

    /// A buyer's proofs that name no purchase, and one more; the others are found through their purchases.
    static func undecided(of buyer: String, in app: BundleID) -> SQL {
        """
        bundle_id = \(app) AND buyer_id = \(buyer) AND state <> 'verified'
        LIMIT \(proofsOfBuyer + 1)
        """
    }

    private func add(
        submissions condition: SQL,
        first limit: Int = 1,
        to found: inout FoundFacts
    ) throws {
        let columns = """
            receipt_id, bundle_id, buyer_id, order_hint, kind, state, reason, transaction_ids, request_id, requested_at,
              judged_at
            """
        let rows = try connection.rows("SELECT \(raw: columns) FROM submission WHERE \(condition)")
        for row in found.first(limit, of: rows) {
            var handedIn = DeskFact(.handedIn, at: try row["requested_at"])
            (handedIn.bundleId, handedIn.receiptId) = (try row["bundle_id"], try row["receipt_id"])
            (handedIn.buyerId, handedIn.word) = (try row["buyer_id"], try row["kind"])
            (handedIn.detail, handedIn.eventId) = (try row["order_hint"], try row["request_id"])
            found.facts.append(handedIn)
            var judged = handedIn
            (judged.at, judged.word, judged.detail) = (try row["judged_at"], try row["reason"], nil)
            switch try row["state"] as String {
            case "pending": judged.kind = .proofPending
            case "parked": judged.kind = .proofParked
            case "invalid": judged.kind = .proofInvalid
            case _: judged.kind = .handedIn
            }
            if judged.kind != .handedIn { found.facts.append(judged) }
            try add(questionAbout: handedIn, to: &found)
            // They stand in the order of their purchases.
            let ids = (try row["transaction_ids"] as String).split(separator: " ")
            let newest = found.first(Self.purchasesOfChain, of: ids.reversed())
            found.related += newest.map(String.init)
            found.related += [handedIn.receiptId?.rawValue, handedIn.detail].compactMap(\.self)
        }
    }

    private func add(questionAbout proof: DeskFact, to found: inout FoundFacts) throws(StoreError) {
        guard let receipt = proof.receiptId else { return }
        let id = AppleQuery.id(of: .proof(receipt), in: BundleID(unchecked: ""))
        guard let asked = try AppleQueryStore(connection: connection).known(id) else { return }
        var fact = DeskFact(.askedApple, at: asked.askedAt)
        (fact.bundleId, fact.receiptId, fact.buyerId) = (proof.bundleId, receipt, proof.buyerId)
        (fact.word, fact.detail, fact.next) = (asked.api.rawValue, asked.problem, asked.dueAt)
        found.facts.append(fact)
    }

    private func add(notificationsAbout id: PurchaseID, to found: inout FoundFacts) throws(StoreError) {
        let rows = try connection.rows(
            """
            SELECT type, state, reason, request_id, delivered_at FROM server_notification WHERE transaction_id = \(id)
            """
        )
        for row in rows {
            let isParked = try row["state"] as String == "parked"
            var fact = DeskFact(isParked ? .notificationParked : .appleNotified, at: try row["delivered_at"])
            (fact.transactionId, fact.purchaseId) = (TransactionID(rawValue: id.rawValue), nil)
            (fact.word, fact.detail, fact.eventId) = (
                try row["type"], try row["reason"], try row["request_id"]
            )
            found.facts.append(fact)
        }
    }
}
