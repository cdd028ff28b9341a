import Contracts
import Database
import Delivery
import Domain

/// Compensations and the buyer's ledger: what is given, taken back, and matched with a proof that comes after all.
struct Compensations {
    private let context: HandlerContext
    private let catalog: Catalog

    init(_ context: HandlerContext, _ catalog: Catalog) {
        self.context = context
        self.catalog = catalog
    }

    private var store: CompensationStore { CompensationStore(connection: context.connection) }

    /// The type of the product whose goods can be given now.
    ///
    /// - Throws: `StoreError`; `RequestRefusal` that names the product.
    func check(_ compensation: Compensation) throws -> Catalog.ProductType {
        let content = compensation.content
        let buyer = BuyerKey(content.bundleId, content.buyerId, content.environment)
        let offer = catalog.lookup(bundleID: content.bundleId, productID: content.productId)
        let owned = try HoldingStore(connection: context.connection)
            .owned(buyer, beside: [compensation.purchaseID])
        return try CompensationOffer.type(of: compensation, offer, owned: owned, at: context.now)
    }

    /// Gives again what a ledger that was put back from a backup has lost; the entries have the same ids.
    func giveAgain(_ compensation: Compensation, because message: Event<some Contract>) throws {
        let content = compensation.content
        let offer = catalog.lookup(bundleID: content.bundleId, productID: content.productId)
        // What the buyer owns beside it does not matter: it was given before.
        let type = try CompensationOffer.type(of: compensation, offer, owned: [], at: context.now)
        try write(compensation, compensation.facts(type, at: context.now), by: message)
    }

    /// Writes the goods of a compensation that was confirmed.
    func give(_ compensation: Compensation, because message: Event<some Contract>) throws {
        let type = try check(compensation)
        let facts = compensation.facts(type, at: context.now)
        try write(compensation, facts, by: message)
    }

    /// Takes back what a compensation has given and is still there; `time` is that of what ended it.
    func takeBack(
        _ compensation: Compensation,
        endedBy time: Timestamp,
        because message: Event<some Contract>
    ) throws {
        let grants = GrantStore(connection: context.connection)
        let content = compensation.content
        let buyer = BuyerKey(content.bundleId, content.buyerId, content.environment)
        // What the catalog says now does not matter: the goods are those that were given.
        guard let known = try grants.record(of: compensation.purchaseID, to: buyer),
            let type = Catalog.ProductType.allCases.first(where: { $0.signedName == known.facts.type })
        else { throw StoreError.corrupt("a compensation that was granted is not in the ledger") }
        let facts = compensation.facts(type, at: context.now, endedBy: time)
        try write(compensation, facts, by: message, over: known)
    }

    /// The compensations on the order that a purchase's proof names, whose goods count as the purchase's own.
    ///
    /// A proof that names no order may be that of something else than what was made up for. A compensation of another
    /// buyer stays, as nobody knows who has paid; an alarm says so. Nil where this partition has none that counts.
    func current(
        for facts: TransactionFacts,
        naming order: OrderID?,
        of buyer: BuyerID
    ) throws(StoreError) -> [Compensation]? {
        guard try store.hasAny() else { return nil }
        let named = try store.current(for: facts, naming: order).filter {
            $0.content.environment == facts.environment && $0.content.bundleId == facts.bundleId
        }
        for other in named where other.content.buyerId != buyer {
            let id = other.content.proposalId
            let text = "the compensation \(id) stays, though \(facts.purchaseId) has come for another buyer"
            context.alarm(.compensationContested, text)
        }
        return named.filter { $0.content.buyerId == buyer && $0.standsFor(facts.productId) }
    }

    /// Ends the compensations on the order of a purchase whose own entries are in the ledger now.
    ///
    /// A purchase that is parked gives nothing yet, and ends nothing. `isNews`: it has changed the purchase's grant.
    /// Nil: none counts in this partition, on whatever.
    func match(
        _ compensations: [Compensation]?,
        with record: GrantRecord,
        isNews: Bool = true,
        because message: Event<some Contract>
    ) throws {
        guard let compensations, !record.grant.isParked else { return }
        for compensation in compensations {
            try match(compensation, with: record, isNews: isNews, message)
        }
        guard isNews, record.grant.state == .granted, compensations.isEmpty else { return }
        try tellSiblings(of: record)
    }

    /// A proof that names no order may be that of any order of the buyer that was compensated, the paid one included;
    /// any proof may be that of an order of Apple's whose transactions are not known.
    private func tellSiblings(of record: GrantRecord) throws {
        let facts = record.facts
        let buyer = BuyerKey(facts.bundleId, record.grant.buyerId, facts.environment)
        for sibling in try store.onOrders(of: buyer, facts.productId)
        where sibling.mayBePaid(at: facts.madeAt) && record.mayBeNamed(by: sibling.content.basis) {
            try tellKept(sibling, beside: facts.purchaseId)
        }
    }

    /// An alarm for people, and a record that outlives it.
    private func tellKept(_ compensation: Compensation, beside purchase: PurchaseID) throws {
        let content = compensation.content
        let text = "stays beside \(purchase), which was bought later or does not name its order"
        context.alarm(.compensationKept, "the compensation \(content.proposalId) \(text)")
        try context.record(
            .compensationKept,
            of: content.proposalId.rawValue,
            by: nil,
            for: Pseudonym.of(content.buyerId, in: content.bundleId),
            because: "purchase \(purchase)",
            from: content.state.rawValue,
            to: content.state.rawValue
        )
    }

    /// Ends a compensation whose purchases, of which Apple says only now that they are, are in the ledger already.
    func match(
        _ compensation: Compensation,
        with purchases: [PurchaseID],
        because message: Event<some Contract>
    ) throws {
        let content = compensation.content
        let buyer = BuyerKey(content.bundleId, content.buyerId, content.environment)
        let grants = GrantStore(connection: context.connection)
        for purchase in purchases {
            guard let record = try grants.record(of: purchase, to: buyer), record.isNamed(by: content.basis),
                !record.grant.isParked,
                !record.grant.holderStatus.hasLeft, record.grant.state != .void,
                let current = try store.compensation(content.proposalId),
                current.standsFor(record.facts.productId)
            else { continue }
            try match(current, with: record, message)
        }
    }

    private func match(
        _ compensation: Compensation,
        with record: GrantRecord,
        isNews: Bool = true,
        _ message: Event<some Contract>
    ) throws {
        var compensation = compensation
        let before = compensation.content.state
        let purchase = record.facts.purchaseId
        let effect = try compensation.apply(.proof(purchase, boughtAt: record.facts.madeAt), at: context.now)
        guard effect != .nothing else {
            if before == .granted, isNews, record.grant.state == .granted {
                try tellKept(compensation, beside: purchase)
            }
            return
        }
        try save(compensation, over: before)
        if effect == .takesBack {
            try takeBack(compensation, endedBy: record.facts.signedDate, because: message)
        }
        let content = compensation.content
        try context.record(
            .compensationMatched,
            of: content.proposalId.rawValue,
            by: nil,
            for: Pseudonym.of(content.buyerId, in: content.bundleId),
            because: "purchase \(purchase)",
            from: before.rawValue,
            to: content.state.rawValue
        )
    }

    /// Stores what has become of a compensation; Orders keeps of one that was confirmed what a backup may lose.
    func save(_ compensation: Compensation, over before: CompensationV1.State) throws {
        try store.save(compensation, over: before)
        if let changed = CompensationChangedV1(compensation) { try context.send(changed) }
    }

    /// Wants to know which transactions the order of Apple's has on which it stands, unless that is known.
    func askApple(about compensation: Compensation) throws {
        if let wanted = AppleOrderWantedV1(compensation) { try context.send(wanted) }
    }

    /// Tells it again: Receipts may have lost that it was asked, and Orders what it keeps.
    func redrive(_ proposal: ProposalID, to target: PartitionAddress) throws {
        guard let known = try store.compensation(proposal) else { return }
        if let wanted = AppleOrderWantedV1(known), context.owner(of: wanted) == target {
            try context.send(wanted)
        }
        if let changed = CompensationChangedV1(known), context.owner(of: changed) == target {
            try context.send(changed)
        }
    }

    private func write(
        _ compensation: Compensation,
        _ facts: TransactionFacts,
        by message: Event<some Contract>,
        over known: GrantRecord? = nil
    ) throws {
        let buyer = compensation.content.buyerId
        var grant = known?.grant ?? Grant(buyerId: buyer)
        let offer = catalog.lookup(bundleID: facts.bundleId, productID: facts.productId)
        let floors = try BuyerHoldings(context).floors(for: grant, facts, catalog)
        let lines = try grant.apply(facts, for: buyer, offer: offer, floors: floors)
        let terms = OrderTerms(orderId: compensation.orderID)
        let record = GrantRecord(grant, of: facts, terms, by: message, catalog, in: context, over: known)
        try Ledger(context).write(record, lines, over: known, for: nil)
    }
}
