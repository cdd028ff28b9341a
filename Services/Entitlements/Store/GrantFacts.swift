import Contracts
import Database

/// What the rows of grants and the ledger say to people.
struct GrantFacts {
    let connection: any Connection

    /// What is known of grants by their purchases.
    func find(_ request: FactsFindV1) throws(StoreError) -> FoundFacts {
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
        }
        return found
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
        (fact.orderId, fact.purchaseId) = (record.order.orderId, record.facts.purchaseId)
        (fact.transactionId, fact.receiptId) = (record.facts.transactionId, record.receiptId)
        (fact.buyerId, fact.productId) = (record.grant.buyerId, record.facts.productId)
        (fact.eventId, fact.causationId) = (record.eventId, record.causationId)
        return fact
    }
}
