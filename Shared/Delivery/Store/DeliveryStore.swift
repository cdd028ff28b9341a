import Contracts
import Database
import DeliveryCore

/// Delivery's rows inside one transaction.
struct DeliveryStore {
    let connection: any Connection

    /// An outgoing link as it is stored.
    struct LinkRow: Equatable {
        var link: Int64
        var target: PartitionAddress
        var incarnation: String
        var next: UInt64
        var settled: UInt64
        var settledEventID: EventID?
        var quarantine: LinkSender.Quarantine?
    }

    /// An event of the outbox.
    struct OutboxRow: Equatable {
        var sequence: UInt64
        var eventID: EventID
        var event: [UInt8]
    }

    // MARK: Owner

    /// Counts one more owner and notes that this one has not left politely yet.
    ///
    /// - Throws: `StoreError`, `PartitionIdentity.Mismatch` when the store is another partition's.
    func takeOver(_ identity: PartitionIdentity) throws -> (epoch: UInt64, wasClean: Bool) {
        let row = try connection.row(
            "SELECT service, partition, partitions, epoch, clean FROM partition_owner WHERE only = 1"
        )
        if let row { try identity.accept(PartitionIdentity(row)) }
        let epoch = (try row?.integer(3) ?? 0) + 1
        try connection.execute(
            """
            INSERT INTO partition_owner (only, service, partition, partitions, epoch, clean) VALUES (1, ?, ?, ?, ?, 0)
            ON CONFLICT (only) DO UPDATE SET epoch = excluded.epoch, clean = 0
            """,
            [
                .text(identity.address.service.rawValue), Value(identity.address.partition),
                Value(identity.partitions), .integer(epoch),
            ]
        )
        return (UInt64(epoch), try row.map { try $0.integer(4) == 1 } ?? true)
    }

    func leave() throws(StoreError) {
        try connection.execute("UPDATE partition_owner SET clean = 1 WHERE only = 1")
        try connection.execute("DELETE FROM suspect")
    }

    // MARK: Outgoing links

    func links() throws(StoreError) -> [LinkRow] {
        let rows = try connection.rows(
            "SELECT link, target, incarnation, next, settled, settled_event_id, quarantine FROM link_out ORDER BY link"
        )
        var links: [LinkRow] = []
        for row in rows {
            guard let target = PartitionAddress(try row.text(1)) else { throw .corrupt("link_out.target") }
            links.append(
                LinkRow(
                    link: try row.integer(0),
                    target: target,
                    incarnation: try row.text(2),
                    next: UInt64(try row.integer(3)),
                    settled: UInt64(try row.integer(4)),
                    settledEventID: try row.optionalText(5).map(EventID.init(unchecked:)),
                    quarantine: try row.optionalText(6).flatMap(LinkSender.Quarantine.init(rawValue:))
                )
            )
        }
        return links
    }

    func insert(_ link: LinkRow) throws(StoreError) {
        try connection.execute(
            "INSERT INTO link_out (link, target, incarnation, next, settled) VALUES (?, ?, ?, ?, ?)",
            [
                .integer(link.link), .text(link.target.description), .text(link.incarnation),
                .integer(Int64(link.next)), .integer(Int64(link.settled)),
            ]
        )
    }

    func append(
        _ events: [OutgoingEvent],
        to link: Int64,
        from first: UInt64,
        now: Timestamp
    ) throws(StoreError) {
        var sequence = Int64(first)
        for event in events {
            try connection.execute(
                "INSERT INTO outbox (link, sequence, event_id, time, event) VALUES (?, ?, ?, ?, ?)",
                [
                    .integer(link), .integer(sequence), .text(event.id.rawValue), .integer(now.milliseconds),
                    .blob(event.bytes),
                ]
            )
            sequence += 1
        }
        let changed = try connection.execute(
            "UPDATE link_out SET next = ? WHERE link = ? AND next = ?",
            [.integer(sequence), .integer(link), .integer(Int64(first))]
        )
        guard changed == 1 else { throw .corrupt("link_out.next of link \(link) is not \(first)") }
    }

    func settle(_ link: Int64, through: UInt64) throws(StoreError) {
        let last = Value.integer(Int64(through))
        try connection.execute(
            """
            UPDATE link_out SET settled = ?,
              settled_event_id = (SELECT event_id FROM outbox WHERE link = ? AND sequence = ?)
            WHERE link = ? AND settled < ?
            """,
            [last, .integer(link), last, .integer(link), last]
        )
        try connection.execute("DELETE FROM outbox WHERE link = ? AND sequence <= ?", [.integer(link), last])
    }

    func quarantine(_ link: Int64, _ reason: LinkSender.Quarantine) throws(StoreError) {
        try connection.execute(
            "UPDATE link_out SET quarantine = ? WHERE link = ?",
            [.text(reason.rawValue), .integer(link)]
        )
    }

    /// Begins a new life of a link: the rows that are not settled are numbered from 1 again.
    func beginIncarnation(_ link: Int64, incarnation: String) throws(StoreError) -> UInt64 {
        let rows = try connection.rows(
            "SELECT sequence FROM outbox WHERE link = ? ORDER BY sequence",
            [.integer(link)]
        )
        var next: Int64 = 1
        for row in rows {
            let sequence = try row.integer(0)
            if sequence != next {
                try connection.execute(
                    "UPDATE outbox SET sequence = ? WHERE link = ? AND sequence = ?",
                    [.integer(next), .integer(link), .integer(sequence)]
                )
            }
            next += 1
        }
        try connection.execute(
            """
            UPDATE link_out SET incarnation = ?, next = ?, settled = 0, settled_event_id = NULL, quarantine = NULL
            WHERE link = ?
            """,
            [.text(incarnation), .integer(next), .integer(link)]
        )
        return UInt64(next)
    }

    func outbox(_ link: Int64, _ range: ClosedRange<UInt64>) throws(StoreError) -> [OutboxRow] {
        let rows = try connection.rows(
            "SELECT sequence, event_id, event FROM outbox WHERE link = ? AND sequence BETWEEN ? AND ? ORDER BY sequence",
            [.integer(link), .integer(Int64(range.lowerBound)), .integer(Int64(range.upperBound))]
        )
        var result: [OutboxRow] = []
        for row in rows {
            result.append(
                OutboxRow(
                    sequence: UInt64(try row.integer(0)),
                    eventID: EventID(unchecked: try row.text(1)),
                    event: try row.blob(2)
                )
            )
        }
        return result
    }

    /// The id of the event that this side sent as `sequence`, if it still knows.
    func ownEventID(_ link: Int64, at sequence: UInt64) throws(StoreError) -> EventID? {
        let row = try connection.row(
            """
            SELECT event_id FROM outbox WHERE link = ? AND sequence = ?
            UNION ALL SELECT settled_event_id FROM link_out WHERE link = ? AND settled = ?
            """,
            [
                .integer(link), .integer(Int64(sequence)), .integer(link), .integer(Int64(sequence)),
            ]
        )
        return try row?.optionalText(0).map(EventID.init(unchecked:))
    }

    /// When the oldest unsettled event was sent.
    func oldestUnsettled(_ link: Int64, after settled: UInt64) throws(StoreError) -> Timestamp? {
        let row = try connection.row(
            "SELECT time FROM outbox WHERE link = ? AND sequence > ? ORDER BY sequence LIMIT 1",
            [.integer(link), .integer(Int64(settled))]
        )
        return try row.map { row throws(StoreError) in Timestamp(milliseconds: try row.integer(0)) }
    }

    // MARK: Incoming links

    func receivers() throws(StoreError) -> [LinkReceiver] {
        var receivers: [LinkReceiver] = []
        for row in try connection.rows("SELECT source, incarnation, last, last_event_id FROM link_in") {
            guard let source = PartitionAddress(try row.text(0)) else { throw .corrupt("link_in.source") }
            receivers.append(
                LinkReceiver(
                    from: source,
                    incarnation: try row.text(1),
                    last: UInt64(try row.integer(2)),
                    lastEventID: try row.optionalText(3).map(EventID.init(unchecked:))
                )
            )
        }
        return receivers
    }

    func mark(_ receiver: LinkReceiver) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO link_in (source, incarnation, last, last_event_id) VALUES (?, ?, ?, ?)
            ON CONFLICT (source, incarnation)
            DO UPDATE SET last = excluded.last, last_event_id = excluded.last_event_id
            """,
            [
                .text(receiver.from.description), .text(receiver.incarnation), .integer(Int64(receiver.last)),
                Value(receiver.lastEventID?.rawValue),
            ]
        )
    }
}
