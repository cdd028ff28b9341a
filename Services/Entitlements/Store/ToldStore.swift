import Contracts
import Database
import EntitlementsCore
import Foundation

/// The facts with which changes of the ledger were told, as far as newer ones have taken their place since.
struct ToldStore {
    let connection: any Connection

    /// Keeps the facts of the purchase's last change, before a record with newer ones takes the place of `known`.
    func keep(_ known: GrantRecord) throws {
        guard let change = try LedgerStore(connection: connection).lines(of: known).last?.eventId else {
            return
        }
        let facts = String(decoding: try EventCoder.encoder().encode(known.facts), as: UTF8.self)
        try connection.execute(
            "INSERT INTO told (event_id, facts) VALUES (?, ?) ON CONFLICT (event_id) DO NOTHING",
            [.text(change.rawValue), .text(facts)]
        )
    }

    /// The record as it stood when the change to which `request` led was told.
    func record(_ record: GrantRecord, after request: EventID) throws -> GrantRecord {
        var told = record
        let row = try connection.row("SELECT facts FROM told WHERE event_id = ?", [.text(request.rawValue)])
        if let text = try row?.text(0) {
            told.facts = try JSONDecoder().decode(TransactionFacts.self, from: Data(text.utf8))
        }
        told.grant = record.grant.asTold(with: told.facts)
        return told
    }
}
