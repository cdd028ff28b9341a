import Contracts
import Database
import Delivery
import Domain

/// What the rows of grants and the ledger say to people.
struct GrantFacts {
    /// The newest compensations of a buyer that a search reads.
    static let compensationsOfBuyer = 20

    let connection: any Connection
    /// The present, in which a proposal may be void though no row says so.
    let now: Timestamp

    /// What is known of grants by their purchases.
    func find(_ request: FactsFindV1) throws -> FoundFacts {
        var found = FoundFacts()
        for text in request.texts {
            for record in try GrantStore(connection: connection).records(purchaseId: text) {
                found.facts += Self.states(of: record)
                found.facts += try LedgerStore(connection: connection).lines(of: record).map {
                    Self.entry($0, of: record)
                }
                found.related += [record.facts.purchaseId.rawValue, record.order.orderId.rawValue]
                found.related += record.receiptId.map { [$0.rawValue] } ?? []
            }
            try add(documents(Self.compensations(text))[...], to: &found)
            for app in request.bundleIds {
                let newest = try documents(Self.compensations(of: text, in: app))
                try add(found.first(Self.compensationsOfBuyer, of: newest), to: &found)
            }
        }
        return found
    }

    /// What operators have given to a buyer, for an order, an order of Apple's or a transaction, or as a proposal.
    private func add(_ documents: ArraySlice<String>, to found: inout FoundFacts) throws {
        for document in documents {
            let compensation = Compensation(try JSONColumn.value(of: document))
            let fact = fact(compensation)
            guard !found.facts.contains(fact) else { continue }
            found.facts.append(fact)
            let basis = compensation.content.basis
            let names: [String?] = [
                compensation.content.proposalId.rawValue, compensation.purchaseID.rawValue,
                basis.orderId?.rawValue, compensation.content.purchaseId?.rawValue,
            ]
            found.related += names.compactMap(\.self) + (basis.transactionIds ?? []).map(\.rawValue)
        }
    }

    private func documents(_ compensations: SQL) throws(StoreError) -> [String] {
        try connection.rows(compensations) { row throws(StoreError) in try row["document"] }
    }

    /// How far a compensation is; the purchase that has taken its place is its transaction.
    private func fact(_ compensation: Compensation) -> DeskFact {
        let content = compensation.answer(at: now)
        var fact = DeskFact(.compensated, at: content.endedAt ?? content.confirmedAt ?? content.proposedAt)
        (fact.bundleId, fact.environment) = (content.bundleId, content.environment)
        (fact.orderId, fact.purchaseId) = (content.basis.orderId, compensation.purchaseID)
        fact.transactionId =
            content.purchaseId.map { TransactionID(unchecked: $0.rawValue) }
            ?? content.basis.transactionIds?.first
        if fact.transactionId == nil { fact.appleOrderId = content.basis.appleOrderId }
        (fact.buyerId, fact.productId, fact.quantity) = (content.buyerId, content.productId, content.quantity)
        fact.count = content.basis.transactionIds?.count
        (fact.word, fact.detail) = (content.state.rawValue, content.endedReason ?? content.reason)
        if content.endedAt != nil { fact.since = content.confirmedAt }
        fact.reference = content.proposalId.rawValue
        return fact
    }

    /// Those with an id, or with the name of an order, an order of Apple's, a transaction or a purchase.
    static func compensations(_ text: String) -> SQL {
        """
        SELECT document FROM compensation WHERE proposal_id = \(text)
        UNION SELECT document FROM compensation_name JOIN compensation USING (proposal_id)
        WHERE name = \(text)
        """
    }

    /// The newest of a buyer, goodwill too, which has no other name, and one more.
    static func compensations(of buyer: String, in app: BundleID) -> SQL {
        """
        SELECT document FROM compensation WHERE bundle_id = \(app) AND buyer_id = \(buyer)
        ORDER BY proposed_at DESC LIMIT \(Self.compensationsOfBuyer + 1)
        """
    }

    private static func states(of record: GrantRecord) -> [DeskFact] {
        var facts: [DeskFact] = []
        if let time = record.grantedAt { facts.append(fact(.granted, at: time, record)) }
        let state: DeskFact.Kind? =
            switch record.grant.state {
            case .unseen, .granted: nil
            case .parked: .grantParked
            case .tombstone: .neverGranted
            case .reversed: .grantReversed
            case .void: .grantVoid
            }
        if let state {
            var fact = fact(state, at: record.changedAt, record)
            fact.word = record.grant.state.reason
            facts.append(fact)
        }
        return facts
    }

    private static func entry(_ line: LedgerStore.Line, of record: GrantRecord) -> DeskFact {
        var fact = fact(.entry, at: line.entry.time, record)
        (fact.eventId, fact.causationId) = (line.eventId, line.causationId)
        (fact.word, fact.entitlement) = (line.entry.kind.rawValue, line.entry.entitlement)
        fact.amount = line.entry.amount
        return fact
    }

    private static func fact(_ kind: DeskFact.Kind, at time: Timestamp, _ record: GrantRecord) -> DeskFact {
        var fact = DeskFact(kind, at: time)
        (fact.bundleId, fact.environment) = (record.facts.bundleId, record.facts.environment)
        fact.purchaseId = record.facts.purchaseId
        // That of a compensation may be one that nobody has placed; its own fact names the buyer's.
        fact.orderId = record.facts.purchaseId.isCompensation ? nil : record.order.orderId
        (fact.transactionId, fact.receiptId) = (record.facts.transactionId, record.receiptId)
        (fact.buyerId, fact.productId) = (record.grant.buyerId, record.facts.productId)
        (fact.eventId, fact.causationId) = (record.eventId, record.causationId)
        return fact
    }
}
