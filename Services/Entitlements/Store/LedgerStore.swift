import Contracts
import Database
import Delivery
import Domain

extension EntryID: ValueConvertible {}

/// The ledger of every buyer: entries are added and never changed.
struct LedgerStore {
    let connection: any Connection

    /// Adds lines behind the last one of the buyer's ledger, and to what the buyer holds.
    func append(_ lines: [Grant.Line], of record: GrantRecord) throws(StoreError) -> [LedgerEntry] {
        guard !lines.isEmpty else { return [] }
        let (bundle, buyer) = (record.facts.bundleId, record.grant.buyerId)
        var number = try lastNumber(bundleId: bundle, buyerId: buyer)
        var entries: [LedgerEntry] = []
        for line in lines {
            var id = EntryID(line, of: record)
            if line.isOfRefund, try self.entry(id, bundleId: bundle, buyerId: buyer) != nil {
                id = EntryID(line, of: record, isRepeated: true)
            }
            number += 1
            let entry = LedgerEntry(line, id, of: record, undoes: try undone(by: line, of: record))
            let cause = (record.eventId, record.eventType.grantColumn, record.causationId)
            try insert(entry, number, bundleId: bundle, buyerId: buyer, cause)
            try HoldingStore(connection: connection).add(line, of: record)
            entries.append(entry)
        }
        return entries
    }

    /// Adds an entry that a buyer's server asked for, and its amount to the balance.
    func append(
        _ change: Wallet.Change,
        _ id: EntryID,
        for request: WalletRequest,
        metadata: String?,
        by message: EventID,
        at time: Timestamp
    ) throws(StoreError) {
        let (bundle, buyer) = (request.bundleId, request.buyerId)
        let entry = LedgerEntry(
            entryId: id.rawValue,
            kind: change.kind,
            entitlement: change.entitlement,
            amount: change.amount,
            of: buyer,
            with: change.account,
            undoes: change.undoes?.rawValue,
            environment: change.environment,
            time: time
        )
        let number = try lastNumber(bundleId: bundle, buyerId: buyer) + 1
        try insert(entry, number, bundleId: bundle, buyerId: buyer, metadata: metadata, (message, nil, nil))
        let key = HoldingKey(bundle, buyer, change.environment, change.entitlement)
        try HoldingStore(connection: connection).add(entry.change, to: key)
    }

    private func lastNumber(bundleId: BundleID, buyerId: BuyerID) throws(StoreError) -> Int64 {
        try connection.value(
            "SELECT MAX(number) FROM ledger WHERE bundle_id = \(bundleId) AND buyer_id = \(buyerId)"
        ) ?? 0
    }

    private func insert(
        _ entry: LedgerEntry,
        _ number: Int64,
        bundleId: BundleID,
        buyerId: BuyerID,
        metadata: String? = nil,
        _ cause: (event: EventID, type: EventType?, causation: EventID?)
    ) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO ledger (bundle_id, buyer_id, number, entry_id, kind, entitlement, amount, from_account,
              to_account, undoes, purchase_id, transaction_id, price, seats, seats_price, currency,
              storefront, metadata, environment, time, event_id, event_type, causation_id)
            VALUES (\(bundleId), \(buyerId), \(number), \(entry.entryId), \(entry.kind), \(entry.entitlement),
              \(entry.amount), \(entry.from.stored(of: buyerId)), \(entry.to.stored(of: buyerId)), \(entry.undoes),
              \(entry.purchaseId), \(entry.transactionId), \(entry.price), \(entry.seats), \(entry.seatsPrice),
              \(entry.currency), \(entry.storefront), \(metadata), \(entry.environment), \(entry.time),
              \(cause.event), \(cause.type), \(cause.causation))
            """
        )
    }

    /// The id of the entry that a line takes back.
    private func undone(by line: Grant.Line, of record: GrantRecord) throws(StoreError) -> EntryID? {
        let (facts, buyer) = (record.facts, record.grant.buyerId)
        switch line.undoes {
        case nil: return nil
        case .grant: return EntryID(grantOf: line.entitlement, facts, for: buyer)
        case .transferIn(let transfer):
            return EntryID(.transferIn, of: line.entitlement, facts, for: buyer, by: transfer)
        case .reversal: return try last(of: [.reversal, .transferOut], line.entitlement, record)
        case .compensation: return try last(of: [.compensation], line.entitlement, record)
        }
    }

    private func last(
        of kinds: [LedgerEntry.Kind],
        _ entitlement: String,
        _ record: GrantRecord
    ) throws(StoreError) -> EntryID {
        let last: EntryID? = try connection.value(Self.lastQuery(kinds, entitlement, of: record))
        guard let last else { throw .corrupt("an entry that is taken back is not in the ledger") }
        return last
    }

    /// The last entry of some kinds, none of which is `grant`, that a purchase has in its buyer's ledger.
    static func lastQuery(
        _ kinds: [LedgerEntry.Kind],
        _ entitlement: String,
        of record: GrantRecord
    ) -> SQL {
        let names = kinds.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        return """
            SELECT entry_id FROM ledger
            WHERE \(changes(record)) AND entitlement = \(entitlement) AND kind IN (\(raw: names))
            ORDER BY +number DESC LIMIT 1
            """
    }

    /// The number of an entry of a buyer; the newest are found first, because they are asked for most.
    func number(of entry: EntryID, bundleId: BundleID, buyerId: BuyerID) throws(StoreError) -> Int64? {
        try connection.value(
            """
            SELECT number FROM ledger
            WHERE bundle_id = \(bundleId) AND buyer_id = \(buyerId) AND entry_id = \(entry)
            ORDER BY number DESC LIMIT 1
            """
        )
    }

    /// An entry of a buyer that is no grant.
    func entry(_ id: EntryID, bundleId: BundleID, buyerId: BuyerID) throws(StoreError) -> LedgerEntry? {
        try connection.row(
            """
            \(raw: Self.select)
            WHERE ledger.entry_id = \(id) AND ledger.kind <> 'grant'
              AND ledger.bundle_id = \(bundleId) AND ledger.buyer_id = \(buyerId)
            """,
            Line.init
        )?.entry
    }

    /// Whether a spend of a buyer was given back.
    func isReversed(_ spend: EntryID, bundleId: BundleID, buyerId: BuyerID) throws(StoreError) -> Bool {
        try connection.row(
            """
            SELECT 1 FROM ledger
            WHERE bundle_id = \(bundleId) AND buyer_id = \(buyerId) AND undoes = \(spend)
              AND kind = 'spendReversal'
            """
        ) != nil
    }

    /// The entries of a page after the one with this number, and one more if there is another page.
    func entries(
        of page: LedgerPage,
        after number: Int64,
        for request: LedgerGetV1
    ) throws(StoreError) -> [LedgerEntry] {
        try connection.rows(
            """
            \(raw: Self.select)
            WHERE ledger.bundle_id = \(request.bundleId) AND ledger.buyer_id = \(request.buyerId)
              AND ledger.number > \(number)
              AND ledger.environment = COALESCE(\(request.environment), ledger.environment)
            ORDER BY ledger.number LIMIT \(page.limit + 1)
            """
        ) { row throws(StoreError) in try Line(row).entry }
    }

    /// The entries of a purchase.
    func lines(of record: GrantRecord) throws(StoreError) -> [Line] {
        try connection.rows(Self.linesQuery(record), Line.init)
    }

    /// The entries that gave the goods, then those that changed it, each by its index: a buyer may have many others.
    static func linesQuery(_ record: GrantRecord) -> SQL {
        """
        \(raw: select)
        WHERE ledger.kind = 'grant' AND \(own(record))
        UNION ALL
        \(raw: select)
        WHERE \(changes(record))
        ORDER BY number
        """
    }

    /// What changed the goods of a purchase after it gave them.
    private static func changes(_ record: GrantRecord) -> SQL {
        "ledger.kind <> 'grant' AND ledger.purchase_id IS NOT NULL AND \(own(record))"
    }

    /// The entries of a purchase; with each `+` the buyer's key, which leads to all of the buyer's, is not used.
    private static func own(_ record: GrantRecord) -> SQL {
        """
        ledger.purchase_id = \(record.facts.purchaseId) AND ledger.environment = \(record.facts.environment)
          AND +ledger.bundle_id = \(record.facts.bundleId) AND +ledger.buyer_id = \(record.grant.buyerId)
        """
    }

    private static let select = """
        SELECT ledger.buyer_id AS holder, ledger.entry_id, ledger.kind, ledger.entitlement, ledger.amount,
          ledger.from_account, ledger.to_account, ledger.undoes, ledger.purchase_id, ledger.transaction_id,
          ledger.price, ledger.seats, ledger.seats_price, ledger.currency, ledger.storefront, ledger.metadata,
          ledger.environment, ledger.time, ledger.number AS number, ledger.event_id AS line_event_id,
          ledger.event_type AS line_event_type, ledger.causation_id AS line_causation_id,
          \(GrantRecord.columns)
        FROM ledger LEFT JOIN grants ON grants.purchase_id = ledger.purchase_id
          AND grants.environment = ledger.environment AND grants.bundle_id = ledger.bundle_id
          AND grants.buyer_id = ledger.buyer_id
        """

    struct Line: Equatable {
        let entry: LedgerEntry
        let eventId: EventID
        /// The type of the message that changed the purchase; meaningless for an entry of no purchase.
        let eventType: EventType
        let causationId: EventID?

        init(_ row: Row) throws(StoreError) {
            eventId = try row["line_event_id"]
            eventType = EventType(grantColumn: try row["line_event_type"])
            causationId = try row["line_causation_id"]
            entry = try LedgerEntry(row)
        }
    }
}

extension LedgerAccount {
    /// The buyer's own account, whose buyer the row names.
    static let buyers = "buyer"

    fileprivate func stored(of buyer: BuyerID) -> String { self == .buyer(buyer) ? Self.buyers : rawValue }
}

extension LedgerEntry.Kind {
    /// The account beside the buyer's of an entry of a purchase.
    fileprivate func account(_ product: ProductID) -> LedgerAccount {
        switch self {
        case .transferOut, .transferIn: .transit
        case .compensation, .compensationReversal: .compensation
        case .grant, .reversal, .reinstatement, .spend, .credit, .spendReversal: .apple(product)
        }
    }
}

extension Grant.Line {
    /// Whether it is a refund, or reverses one.
    fileprivate var isOfRefund: Bool {
        transfer == nil && [.reversal, .reinstatement, .compensationReversal].contains(kind)
    }
}

extension EntryID {
    fileprivate init(_ line: Grant.Line, of record: GrantRecord, isRepeated: Bool = false) {
        let (facts, buyer) = (record.facts, record.grant.buyerId)
        switch line.kind {
        case .grant: self.init(grantOf: line.entitlement, facts, for: buyer)
        case .transferOut, .transferIn:
            let transfer = record.grant.holderStatus.last
            self.init(line.kind, of: line.entitlement, facts, for: buyer, by: transfer)
        case .reversal, .reinstatement, .compensation, .compensationReversal, .spend, .credit, .spendReversal:
            if let transfer = line.transfer {
                self.init(line.kind, of: line.entitlement, facts, for: buyer, by: transfer, line.amount)
            } else {
                self.init(line, of: facts, for: buyer, isRepeated: isRepeated)
            }
        }
    }
}

extension LedgerEntry {
    /// An entry that `record`, as it was then, led to.
    fileprivate init(_ line: Grant.Line, _ id: EntryID, of record: GrantRecord, undoes: EntryID?) {
        let facts = record.facts
        self.init(
            entryId: id.rawValue,
            kind: line.kind,
            entitlement: line.entitlement,
            amount: line.amount,
            of: record.grant.buyerId,
            with: facts.purchaseId.isCompensation ? .compensation : line.kind.account(facts.productId),
            undoes: undoes?.rawValue,
            environment: facts.environment,
            time: record.changedAt
        )
        (transactionId, purchaseId) = (facts.transactionId, facts.purchaseId)
        if kind == .grant, !facts.isShared {
            (price, currency, storefront) = (facts.price, facts.currency, facts.storefront)
            if facts.hasSeats { (seats, seatsPrice) = (facts.quantity, facts.seatsPrice) }
        }
        note(record)
    }

    private mutating func note(_ record: GrantRecord) {
        let (order, account) = (record.order, kind.isForBuyer ? from : to)
        productId = account.product ?? record.facts.productId
        (orderId, reference, metadata) = (order.orderId, order.reference, order.metadata)
        issuedBy = order.issuedBy
        if kind == .grant { catalogVersion = record.catalogVersion }
    }

    fileprivate init(_ row: Row) throws(StoreError) {
        let kind: Kind = try row["kind"]
        self.init(
            entryId: try row["entry_id"],
            kind: kind,
            entitlement: try row["entitlement"],
            amount: try row["amount"],
            of: try row["holder"],
            with: LedgerAccount(rawValue: try row[kind.isForBuyer ? "from_account" : "to_account"]),
            undoes: try row["undoes"],
            environment: try row["environment"],
            time: try row["time"]
        )
        (transactionId, purchaseId) = (try row["transaction_id"], try row["purchase_id"])
        (price, currency, storefront) = (try row["price"], try row["currency"], try row["storefront"])
        (seats, seatsPrice) = (try row["seats"], try row["seats_price"])
        let own: String? = try row["metadata"]
        metadata = try own.map { text throws(StoreError) in try JSONColumn.value(of: text) }
        if purchaseId != nil { note(try GrantRecord(row)) }
    }
}
