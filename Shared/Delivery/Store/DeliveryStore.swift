import Contracts
import Database

struct DeliveryStore {
    let connection: any Connection

    struct LinkRow: Equatable {
        var link: Int64
        var target: PartitionAddress
        var incarnation: String
        var next: UInt64 = 1
        var settled: UInt64 = 0
        var quarantine: LinkSender.Quarantine?
    }

    struct OutboxRow: Equatable {
        var sequence: UInt64
        var eventID: EventID
        var event: [UInt8]
    }

    /// A row's key: the link in the upper 16 bits, the sequence in the lower 48.
    ///
    /// SQLite appends rows with an integer key at the end of a page; a key of two columns takes a quarter more pages.
    private struct Position: ValueConvertible {
        private static let sequenceBits: Int64 = 48

        let link: Int64
        let sequence: UInt64

        init(_ link: Int64, _ sequence: UInt64) {
            self.link = link
            self.sequence = sequence
        }

        init(storedValue: Value) throws(ConversionFailure) {
            let position = try Int64(storedValue: storedValue)
            link = position >> Self.sequenceBits
            sequence = UInt64(position & (1 << Self.sequenceBits - 1))
        }

        var storedValue: Value { .integer(link << Self.sequenceBits | Int64(sequence)) }
    }

    // MARK: Owner

    /// Counts a new owner and records that it has not ended cleanly yet.
    ///
    /// - Throws: `StoreError`, `PartitionIdentity.Mismatch` when the store is another partition's.
    func takeOver(_ identity: PartitionIdentity) throws -> (epoch: UInt64, wasClean: Bool) {
        let row = try connection.row(
            "SELECT service, partition, partitions, epoch, clean FROM partition_owner WHERE only = 1"
        )
        if let row { try identity.accept(PartitionIdentity(row)) }
        let epoch = try row.map { try $0["epoch"] as UInt64 + 1 } ?? 1
        try connection.execute(
            """
            INSERT INTO partition_owner (only, service, partition, partitions, epoch, clean)
            VALUES (1, \(identity.address.service), \(identity.address.partition), \(identity.partitions),
              \(epoch), 0)
            ON CONFLICT (only) DO UPDATE SET epoch = excluded.epoch, clean = 0
            """
        )
        return (epoch, try row.map { try $0["clean"] } ?? true)
    }

    func leave() throws(StoreError) {
        try connection.execute("UPDATE partition_owner SET clean = 1 WHERE only = 1")
        try connection.execute("DELETE FROM suspect")
    }

    // MARK: Outgoing links

    func links() throws(StoreError) -> [LinkRow] {
        try connection.rows(
            "SELECT link, target, incarnation, settled, quarantine FROM link_out ORDER BY link"
        ) { row throws(StoreError) in
            let (link, settled): (Int64, UInt64) = (try row["link"], try row["settled"])
            return LinkRow(
                link: link,
                target: try row["target"],
                incarnation: try row["incarnation"],
                next: try next(link, after: settled),
                settled: settled,
                quarantine: try row["quarantine"]
            )
        }
    }

    /// The sequence of a link's next row: rows are deleted only together with a note of the last one.
    private func next(_ link: Int64, after settled: UInt64) throws(StoreError) -> UInt64 {
        let last: Position? = try connection.value(
            "SELECT MAX(position) FROM outbox WHERE position > \(Position(link, 0)) AND position < \(Position(link + 1, 0))"
        )
        return max(last?.sequence ?? 0, settled) + 1
    }

    func insert(_ link: LinkRow) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO link_out (link, target, incarnation, settled)
            VALUES (\(link.link), \(link.target), \(link.incarnation), \(link.settled))
            """
        )
    }

    func append(
        _ events: [OutgoingEvent],
        to link: Int64,
        from first: UInt64,
        now: Timestamp
    ) throws(StoreError) {
        var sequence = first
        for event in events {
            try connection.execute(
                """
                INSERT INTO outbox (position, event_id, time, event)
                VALUES (\(Position(link, sequence)), \(event.id), \(now), \(event.bytes))
                """
            )
            sequence += 1
        }
    }

    func settle(_ link: Int64, through last: UInt64) throws(StoreError) {
        try connection.execute(
            """
            UPDATE link_out SET settled = \(last),
              settled_event_id = (SELECT event_id FROM outbox WHERE position = \(Position(link, last)))
            WHERE link = \(link) AND settled < \(last)
            """
        )
        try connection.execute(
            "DELETE FROM outbox WHERE position BETWEEN \(Position(link, 0)) AND \(Position(link, last))"
        )
    }

    func quarantine(_ link: Int64, _ reason: LinkSender.Quarantine) throws(StoreError) {
        try connection.execute("UPDATE link_out SET quarantine = \(reason) WHERE link = \(link)")
    }

    /// Restarts a link: unsettled rows are numbered from 1 again.
    func beginIncarnation(_ link: Int64, incarnation: String) throws(StoreError) -> UInt64 {
        let rows = try connection.rows(
            "SELECT position FROM outbox WHERE position > \(Position(link, 0)) AND position < \(Position(link + 1, 0)) ORDER BY position"
        )
        var next: UInt64 = 1
        for row in rows {
            let position: Position = try row["position"]
            if position.sequence != next {
                try connection.execute(
                    "UPDATE outbox SET position = \(Position(link, next)) WHERE position = \(position)"
                )
            }
            next += 1
        }
        try connection.execute(
            """
            UPDATE link_out SET incarnation = \(incarnation), settled = 0,
              settled_event_id = NULL, quarantine = NULL
            WHERE link = \(link)
            """
        )
        return next
    }

    func outbox(_ link: Int64, _ range: ClosedRange<UInt64>) throws(StoreError) -> [OutboxRow] {
        try connection.rows(
            """
            SELECT position, event_id, event FROM outbox
            WHERE position BETWEEN \(Position(link, range.lowerBound)) AND \(Position(link, range.upperBound))
            ORDER BY position
            """
        ) { row throws(StoreError) in
            let position: Position = try row["position"]
            return OutboxRow(
                sequence: position.sequence,
                eventID: try row["event_id"],
                event: try row["event"]
            )
        }
    }

    func ownEventID(_ link: Int64, at sequence: UInt64) throws(StoreError) -> EventID? {
        try connection.value(
            """
            SELECT event_id FROM outbox WHERE position = \(Position(link, sequence))
            UNION ALL SELECT settled_event_id FROM link_out WHERE link = \(link) AND settled = \(sequence)
            """
        )
    }

    func oldestUnsettled(_ link: Int64, after settled: UInt64) throws(StoreError) -> Timestamp? {
        try connection.value(
            """
            SELECT time FROM outbox WHERE position > \(Position(link, settled)) AND position < \(Position(link + 1, 0))
            ORDER BY position LIMIT 1
            """
        )
    }

    // MARK: Incoming links

    func receivers() throws(StoreError) -> [LinkReceiver] {
        try connection.rows("SELECT source, incarnation, last, last_event_id FROM link_in") {
            row throws(StoreError) in
            LinkReceiver(
                from: try row["source"],
                incarnation: try row["incarnation"],
                last: try row["last"],
                lastEventID: try row["last_event_id"]
            )
        }
    }

    func mark(_ receiver: LinkReceiver) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO link_in (source, incarnation, last, last_event_id)
            VALUES (\(receiver.from), \(receiver.incarnation), \(receiver.last), \(receiver.lastEventID))
            ON CONFLICT (source, incarnation)
            DO UPDATE SET last = excluded.last, last_event_id = excluded.last_event_id
            """
        )
    }
}
