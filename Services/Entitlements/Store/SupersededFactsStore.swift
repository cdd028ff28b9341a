import Contracts
import Database
import Delivery

/// The facts with which changes of the ledger were sent, if newer ones have replaced them.
struct SupersededFactsStore {
    let connection: any Connection

    /// Adds the facts of the purchase's last change, before a record with newer ones replaces `known`.
    func add(_ known: GrantRecord) throws {
        guard let change = try LedgerStore(connection: connection).lines(of: known).last else { return }
        try connection.execute(
            """
            INSERT INTO superseded_facts (event_id, facts)
            VALUES (\(change.eventId), \(try JSONColumn.text(known.facts)))
            ON CONFLICT (event_id) DO NOTHING
            """
        )
    }

    /// The record as it was when the change to which `request` led was sent; `entries` are those of the change.
    func record(
        _ record: GrantRecord,
        after request: EventID,
        _ entries: [LedgerEntry]
    ) throws(StoreError) -> GrantRecord {
        var earlier = record
        let facts: String? = try connection.value(
            "SELECT facts FROM superseded_facts WHERE event_id = \(request)"
        )
        if let facts { earlier.facts = try JSONColumn.value(of: facts) }
        // Who was told that it is another buyer's hears the same again.
        guard !entries.contains(where: { $0.isForfeit(of: record) }) else { return earlier }
        let hasLeft = entries.contains { $0.kind == .transferOut }
        earlier.grant = record.grant.asGranted(with: earlier.facts, hasLeft: hasLeft)
        return earlier
    }
}

extension LedgerEntry {
    /// Whether it follows from the transfer by which a grant became void.
    fileprivate func isForfeit(of record: GrantRecord) -> Bool {
        guard record.grant.state == .void else { return false }
        let (buyer, transfer) = (record.grant.buyerId, record.grant.holderStatus.last)
        return entryId
            == EntryID(kind, of: entitlement, record.facts, for: buyer, by: transfer, amount).rawValue
    }
}
