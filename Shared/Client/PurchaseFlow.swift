/// The whole app's side as a pure machine: events in, effects out.
///
/// It has no clock, no store and no network. Its parts are tables: `Checkout` for a product, `ProofDelivery` for a
/// transaction. It adds who is logged in, which purchase a transaction belongs to, and what the screen shows.
///
/// | event | what follows |
/// |---|---|
/// | launched | every proof that was kept is sent |
/// | login | proofs that nobody made are this buyer's from now on; every kept proof is sent |
/// | seen | the proof is kept with the buyer who made it; then sent |
/// | foreground, network back | every kept proof is sent |
/// | buy | an order; the purchase is kept; StoreKit is asked; every kept proof is sent |
/// | purchased | the transaction is as one that was seen; or approval is pending, or nothing was paid |
/// | restore | StoreKit is asked for everything that the buyer owns |
///
/// Laws: a proof is in the store before it is sent; a transaction is finished after `"finish": true` in a 200, for no
/// other reason; a proof keeps the buyer who made it; one purchase at a time a product, one sender at a time a
/// transaction; nothing is ever given up.
package struct PurchaseFlow: Sendable {
    /// Kept purchases above this number go, the oldest first: orders that nobody paid.
    package static let maximumKeptPurchases = 64

    /// Who is logged in.
    package private(set) var caller: String?
    package private(set) var deliveries: [String: ProofDelivery] = [:]
    package private(set) var checkouts: [String: Checkout] = [:]
    package private(set) var purchases: [String: KeptPurchase] = [:]
    /// What this process has delivered.
    private var done: [String: Proof] = [:]
    private var results: [String: PurchaseScreen] = [:]
    /// That of the event in hand.
    private var chance = 0.0
    private var shown: [String: PurchaseScreen] = [:]

    package init() {}

    /// `chance` is a random number from 0 to 1.
    package mutating func apply(_ event: Event, chance: Double) -> [Effect] {
        self.chance = chance
        return decide(event) + changedScreens()
    }

    private mutating func decide(_ event: Event) -> [Effect] {
        switch event {
        case .launched(let records, let login):
            load(records)
            return logIn(login)
        case .login(let buyer): return logIn(buyer)
        case .foreground, .networkBack: return wake()
        case .seen(let transaction): return see(transaction)
        case .restore: return caller == nil ? [] : [.restore]
        case .buy(let productID): return buy(productID)
        case .ordered(let productID, let answer, let id, let now):
            return ordered(productID, answer, id: id, now: now)
        case .purchaseKept(let productID, let isDurable): return purchaseKept(productID, isDurable)
        case .purchased(let productID, let result):
            return purchased(productID, result) + wake()
        case .reported(let productID, let message):
            if case .needsHelp? = results[productID]?.state { results[productID]?.message = message }
            return []
        case .acknowledged(let productID):
            results[productID] = nil
            if checkouts[productID]?.phase == .waitingForApproval { checkouts[productID] = nil }
            return []
        case .proof(let id, let event): return deliver(id, event)
        }
    }

    private mutating func load(_ records: [KeptRecord]) {
        for record in records {
            switch record {
            case .proof(let proof): deliveries[proof.transactionID] = ProofDelivery(kept: proof)
            case .purchase(let purchase): purchases[purchase.id] = purchase
            }
        }
    }

    private mutating func logIn(_ buyer: String?) -> [Effect] {
        if buyer != caller {
            results = [:]
            // Who bought what waits for approval is kept.
            checkouts = checkouts.filter { $0.value.phase != .waitingForApproval }
        }
        caller = buyer
        var effects: [Effect] = []
        if let buyer {
            for (id, delivery) in deliveries.sorted(by: { $0.key < $1.key })
            where delivery.latest.buyer == nil {
                var proof = delivery.latest
                proof.buyer = buyer
                effects += deliver(id, .seen(proof))
            }
        }
        return effects + wake()
    }

    private mutating func wake() -> [Effect] {
        deliveries.keys.sorted().flatMap { deliver($0, .wake) }
    }

    // MARK: Proofs

    private mutating func see(_ transaction: SeenTransaction, or bought: KeptPurchase? = nil) -> [Effect] {
        let id = transaction.transactionID
        let purchase = purchaseOf(transaction, or: bought)
        let proof = Proof(
            transactionID: id,
            content: transaction.content,
            productID: transaction.productID,
            buyer: purchase?.buyer ?? caller,
            orderID: purchase?.orderID ?? transaction.appAccountToken,
            isRestore: transaction.isRestore,
            isPurchase: purchase != nil
        )
        if let known = deliveries[id] {
            return deliver(id, .seen(Self.merged(proof, into: known.latest)))
        }
        // StoreKit may list once more what was finished a moment ago; only a restore is a new deed.
        let known = transaction.isRestore ? nil : done[id].map { Self.merged(proof, into: $0) }
        if let known, known == done[id] { return [] }
        if let purchase, checkouts[purchase.productID]?.purchase?.id == purchase.id {
            apply(.paid, to: purchase.productID)
        }
        deliveries[id] = ProofDelivery(seen: known ?? proof)
        return deliver(id, .wake)
    }

    /// Apple's newest word with the buyer who made the proof.
    private static func merged(_ seen: Proof, into known: Proof) -> Proof {
        var proof = known
        proof.content = seen.content
        proof.isRestore = known.isRestore || (seen.isRestore && seen.buyer == known.buyer)
        proof.isPurchase = known.isPurchase || (seen.isPurchase && seen.buyer == known.buyer)
        return proof
    }

    /// The purchase that a transaction pays: by the token that Apple signed, else the oldest without an order.
    private func purchaseOf(_ transaction: SeenTransaction, or bought: KeptPurchase?) -> KeptPurchase? {
        if transaction.isRestore { return nil }
        if transaction.appAccountToken == nil, let bought { return bought }
        let candidates = purchases.values.filter { purchase in
            guard let token = transaction.appAccountToken else {
                return purchase.orderID == nil && purchase.productID == transaction.productID
            }
            return purchase.orderID == token
        }
        return candidates.min { ($0.startedAt, $0.id) < ($1.startedAt, $1.id) } ?? bought
    }

    private mutating func deliver(_ id: String, _ event: ProofDelivery.Event) -> [Effect] {
        guard var delivery = deliveries[id] else { return [] }
        let effects = delivery.apply(event, caller: caller, chance: chance)
        deliveries[id] = delivery
        var all = effects.map { Effect.proof(transactionID: id, turn: delivery.turn, $0) }
        if delivery.phase == .gone {
            deliveries[id] = nil
            done[id] = delivery.proof
            // The proof goes last: where the process dies between them, it comes again and forgets the rest.
            all = delivered(delivery) + all
        }
        return all
    }

    private mutating func delivered(_ delivery: ProofDelivery) -> [Effect] {
        let proof = delivery.proof
        if proof.isPurchase, let productID = proof.productID, proof.buyer == caller {
            results[productID] = delivery.lastAnswer?.receipt.map(Self.screen)
        }
        let paid = purchases.values.filter { purchase in
            proof.isPurchase && purchase.buyer == proof.buyer && purchase.productID == proof.productID
                && (purchase.orderID == nil || purchase.orderID == proof.orderID)
        }
        return forget(paid)
    }

    private static func screen(_ receipt: DeliveryAnswer.Receipt) -> PurchaseScreen {
        switch receipt.verdict {
        case "granted": PurchaseScreen(state: .done)
        // Refunded or over by now: there is nothing to hold, and nothing wrong.
        case "ended": PurchaseScreen(state: .ready)
        case _: PurchaseScreen(state: .needsHelp(code: receipt.verdict))
        }
    }

    // MARK: Purchases

    @discardableResult
    private mutating func apply(_ event: Checkout.Event, to productID: String) -> [Effect] {
        var checkout = checkouts[productID] ?? Checkout()
        let effects = checkout.apply(event)
        checkouts[productID] = checkout
        switch effects.first {
        case .keep(let purchase)?: purchases[purchase.id] = purchase
        case .forget(let purchase)?: purchases[purchase.id] = nil
        case .order?, .purchase?, .report?, nil: break
        }
        return effects.map { .purchase(productID: productID, $0) }
    }

    private mutating func buy(_ productID: String) -> [Effect] {
        guard let buyer = caller, !isBeingDelivered(productID) else { return [] }
        if checkouts[productID].map({ $0.phase == .idle }) ?? true { results[productID] = nil }
        return apply(.buy(buyer: buyer), to: productID)
    }

    /// Whether the buyer has paid for it and waits; one who was told to ask for help may buy again.
    private func isBeingDelivered(_ productID: String) -> Bool {
        deliveriesOnScreen(productID).contains { $0.lastAnswer?.problem == nil }
    }

    private func deliveriesOnScreen(_ productID: String) -> [ProofDelivery] {
        deliveries.values.filter { delivery in
            let proof = delivery.proof
            return proof.isPurchase && proof.productID == productID && proof.buyer == caller
        }
    }

    private mutating func ordered(
        _ productID: String,
        _ answer: OrderAnswer,
        id: String,
        now: Int64
    ) -> [Effect] {
        guard let checkout = checkouts[productID], checkout.phase == .ordering else { return [] }
        // Nobody pays another login's order.
        guard let buyer = checkout.buyer, buyer == caller else { return apply(.refused, to: productID) }
        func begin(_ orderID: String?) -> [Effect] {
            let purchase =
                KeptPurchase(id: id, productID: productID, buyer: buyer, orderID: orderID, startedAt: now)
            let older = purchases.values.sorted { ($0.startedAt, $0.id) < ($1.startedAt, $1.id) }
            return forget(older.dropLast(Self.maximumKeptPurchases - 1))
                + apply(.ordered(purchase), to: productID)
        }
        switch answer {
        case .issued(let orderID), .open(let orderID, state: "issued"): return begin(orderID)
        case .unreachable: return begin(nil)
        case .open(_, state: "deferred"): results[productID] = PurchaseScreen(state: .waitingForApproval)
        case .open: results[productID] = PurchaseScreen(state: .delivering(isSlow: true))
        case .refused("limitReached"): results[productID] = PurchaseScreen(state: .alreadyOwned)
        case .refused(let code): results[productID] = PurchaseScreen(state: .needsHelp(code: code))
        }
        return apply(.refused, to: productID)
    }

    private mutating func forget(_ gone: some Sequence<KeptPurchase>) -> [Effect] {
        gone.sorted { $0.id < $1.id }.map { purchase in
            purchases[purchase.id] = nil
            return .purchase(productID: purchase.productID, .forget(purchase))
        }
    }

    private mutating func purchaseKept(_ productID: String, _ isDurable: Bool) -> [Effect] {
        guard let checkout = checkouts[productID], checkout.phase == .keeping else { return [] }
        guard checkout.buyer == caller else { return apply(.refused, to: productID) }
        if isDurable { return apply(.kept, to: productID) }
        results[productID] = PurchaseScreen(state: .needsHelp(code: "cannot-keep"))
        return apply(.refused, to: productID)
    }

    private mutating func purchased(_ productID: String, _ result: PurchaseResult) -> [Effect] {
        switch result {
        case .transaction(let transaction):
            return see(transaction, or: checkouts[productID]?.purchase) + apply(.paid, to: productID)
        case .pending: return apply(.pending, to: productID)
        case .cancelled: return apply(.unpaid(.cancelled), to: productID)
        case .failed(let domain, let code):
            if checkouts[productID]?.phase == .paying {
                results[productID] = PurchaseScreen(state: .needsHelp(code: "\(domain) \(code)"))
            }
            return apply(.unpaid(.failed(domain: domain, code: code)), to: productID)
        }
    }

    // MARK: The screen

    /// What the screen of a product shows to who is logged in.
    package func screen(of productID: String) -> PurchaseScreen {
        switch checkouts[productID]?.phase ?? .idle {
        case .ordering, .keeping: return PurchaseScreen(state: .ordering)
        case .paying: return PurchaseScreen(state: .paying)
        case .waitingForApproval: return PurchaseScreen(state: .waitingForApproval)
        case .idle: break
        }
        let onTheirWay = deliveriesOnScreen(productID)
        if let problem = onTheirWay.compactMap({ $0.lastAnswer?.problem }).min() {
            return PurchaseScreen(state: .needsHelp(code: problem))
        }
        if !onTheirWay.isEmpty {
            return PurchaseScreen(state: .delivering(isSlow: onTheirWay.contains(where: \.isSlow)))
        }
        return results[productID] ?? PurchaseScreen(state: .ready)
    }

    private mutating func changedScreens() -> [Effect] {
        let known = Set(shown.keys).union(checkouts.keys).union(results.keys)
            .union(deliveries.values.compactMap { $0.proof.isPurchase ? $0.proof.productID : nil })
        return known.sorted().compactMap { productID in
            let screen = screen(of: productID)
            guard screen != shown[productID] ?? PurchaseScreen(state: .ready) else { return nil }
            shown[productID] = screen
            return .show(productID: productID, screen)
        }
    }
}
