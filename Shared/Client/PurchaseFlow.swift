/// The whole app's side as a pure machine: events in, effects out.
///
/// It has no clock, no store and no network. Its parts are tables: `Checkout` for a product, `ProofDelivery` for a
/// transaction. It adds who is logged in, which purchase a transaction belongs to, and what the screen shows.
///
/// | event | what follows |
/// |---|---|
/// | launched | every proof that was kept is sent |
/// | login | proofs that nobody made are this buyer's from now on; every kept proof is sent |
/// | listed | as many that were seen; what was to be bought before is bought now, unless it is paid |
/// | not listed in time | what an earlier life began to buy waits on, because it may be paid; the rest is bought now |
/// | seen | the proof is kept with the buyer who made it; then sent |
/// | foreground, network back | every kept proof is sent |
/// | buy | an order; the purchase is kept; StoreKit is asked; before the login and the first *listed* it waits |
/// | purchased | the transaction is as one that was seen; or approval is pending, or nothing was paid |
///
/// Laws: a proof is offered to the store before it is sent, and is in it before it is finished; `"finish": true` in a
/// 200 finishes, and nothing else; a proof keeps the buyer who made it; one purchase at a time a product, also while it
/// waits for approval; one sender a transaction; nobody who has paid is let pay again; nothing is ever given up.
package struct PurchaseFlow: Sendable {
    /// Kept purchases above this number go, but none under way: first those that StoreKit has called unpaid, then those
    /// whose buyer the gateway knows, then the oldest.
    package static let maximumKeptPurchases = 64
    /// So many of the transactions that were delivered are known when StoreKit lists them once more.
    package static let maximumDone = 64
    /// How long the gateway may wait for the verdict of what the buyer looks at, in ms; for others it does not wait.
    static let submissionWaitMilliseconds: Int64 = 5_000
    /// The same when it is asked again.
    static let pollWaitMilliseconds: Int64 = 20_000
    /// So many ask again with a wait at once, and so many of what no screen shows: a phone has few connections to a
    /// host, and a new proof has to find one free.
    static let maximumPolls = (all: 2, background: 1)
    /// Who is logged in.
    package private(set) var caller: String?
    package private(set) var deliveries: [String: ProofDelivery] = [:]
    package private(set) var checkouts: [String: Checkout] = [:]
    package private(set) var purchases: [String: KeptPurchase] = [:]
    /// What this process has delivered, the newest last.
    private var done: [Proof] = []
    private var polls: Set<String> = []
    /// Tokens of the purchases of which the buyer has read that they wait for approval.
    private var read: Set<String> = []
    /// What waits for the login, or for StoreKit to list what is paid already.
    private var wanted: [String] = []
    private var hasListed = false
    /// Products that an earlier life began to buy, until StoreKit has listed what is paid.
    private var begunBefore: Set<String> = []
    /// Products of which a payment was seen after the tap.
    private var overtaken: Set<String> = []
    private var results: [String: PurchaseScreen] = [:]
    /// That of the event in hand.
    private var chance = 0.0
    private var screens: [String: PurchaseScreen] = [:]
    package init() {}

    /// `chance` is a random number from 0 to 1.
    package mutating func apply(_ event: Event, chance: Double) -> [Effect] {
        self.chance = chance
        return decide(event) + changedScreens()
    }

    private mutating func decide(_ event: Event) -> [Effect] {
        switch event {
        case .launched(let records, let login):
            for case .purchase(let purchase) in records { purchases[purchase.token] = purchase }
            for case .proof(let proof) in records {
                deliveries[proof.transactionID] = ProofDelivery(proof, isKept: true)
            }
            begunBefore = Set(purchases.values.map(\.productID))
            return logIn(login)
        case .login(let buyer): return logIn(buyer)
        case .foreground, .networkBack: return wake()
        case .listed(let transactions):
            hasListed = true
            if transactions != nil { begunBefore = [] }
            return (transactions ?? []).flatMap { see($0) } + buyWanted()
        case .seen(let transaction): return see(transaction)
        case .buy(let productID): return buy(productID)
        case .ordered(let id, let answer, let uuid, let now): return ordered(id, answer, uuid: uuid, now: now)
        case .purchaseKept(let id, let token, let isDurable): return purchaseKept(id, token, isDurable)
        case .purchased(let productID, let token, .success(let transaction)):
            // The answer to an older purchase, which came by itself before, says nothing of the one that is under way.
            let bought = underWay(productID, token)
            return see(transaction, or: bought) + (bought == nil ? [] : apply(.paid, to: productID)) + wake()
        case .purchased(let id, let token, .failure(let outcome)): return unpaid(id, token, outcome) + wake()
        case .reported(let productID, let message):
            if case .needsHelp? = results[productID]?.state { results[productID]?.message = message }
            return []
        case .acknowledged(let productID):
            if results[productID]?.isPaid != true { results[productID] = nil }
            read.formUnion(deferred(productID).map(\.token))
            wanted.removeAll { $0 == productID }
            return []
        case .proof(let id, let event): return deliver(id, event)
        }
    }

    private mutating func logIn(_ buyer: String?) -> [Effect] {
        if buyer != caller { results = [:] }
        if buyer != caller, caller != nil { wanted = [] }
        caller = buyer
        var effects: [Effect] = []
        for (id, delivery) in deliveries.sorted(by: { $0.key < $1.key }) where delivery.latest.buyer == nil {
            var proof = delivery.latest
            proof.buyer = buyer
            effects += buyer == nil ? [] : deliver(id, .seen(proof))
        }
        return effects + buyWanted() + wake()
    }

    private mutating func see(_ transaction: SeenTransaction, or bought: KeptPurchase? = nil) -> [Effect] {
        let id = transaction.transactionID
        let purchase = purchaseOf(transaction, or: bought)
        let proof = Proof(
            transactionID: id,
            content: transaction.content,
            productID: transaction.productID,
            buyer: purchase?.buyer ?? bought?.buyer ?? caller,
            // A token that the phone made is no order's.
            orderID: purchase == nil ? transaction.appAccountToken : purchase?.orderID,
            token: purchase?.token,
            isRestore: transaction.isRestore,
            isPurchase: purchase != nil || bought != nil
        )
        if let known = deliveries[id] { return deliver(id, .seen(Self.merged(proof, into: known.latest))) }
        // Only a restore is a new deed. What StoreKit lists once more it has not finished yet.
        let old = transaction.isRestore ? nil : done.last { $0.transactionID == id }
        let known = old.map { Self.merged(proof, into: $0) }
        if let known, known == old { return [.proof(transactionID: id, turn: 0, .finish)] }
        if let purchase, let checkout = checkouts[purchase.productID], checkout.buyer == purchase.buyer {
            overtaken.insert(purchase.productID)
            if checkout.purchase?.token == purchase.token { apply(.paid, to: purchase.productID) }
        }
        deliveries[id] = ProofDelivery(known ?? proof, isKept: false)
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

    /// The purchase that a transaction pays: the one whose token Apple signed, and no other.
    ///
    /// Where Apple has lost the token it is what StoreKit was asked for, else the oldest that began without an order
    /// and may be paid. StoreKit may answer a purchase with another one that is not finished: that pays its own.
    private func purchaseOf(_ transaction: SeenTransaction, or bought: KeptPurchase?) -> KeptPurchase? {
        if transaction.isRestore { return nil }
        if let token = transaction.appAccountToken { return purchases[token] }
        let open = purchases.values.filter { $0.orderID != $0.token && $0.productID == transaction.productID }
        return bought ?? open.filter { $0.state != .unpaid }.min { Self.rank($0) < Self.rank($1) }
    }

    private static func rank(_ purchase: KeptPurchase) -> (Int, Int64, String) {
        let rank = (purchase.state == .unpaid ? 0 : 2) + (purchase.orderID == nil ? 1 : 0)
        return (rank, purchase.startedAt, purchase.token)
    }

    private mutating func deliver(_ id: String, _ event: ProofDelivery.Event) -> [Effect] {
        guard var delivery = deliveries[id] else { return [] }
        if case .answered = event { polls.remove(id) }
        let effects = delivery.apply(event, caller: caller, chance: chance)
        deliveries[id] = delivery
        var all = effects.map { Effect.proof(transactionID: id, turn: delivery.turn, patient($0)) }
        if delivery.phase == .gone {
            deliveries[id] = nil
            done = done.filter { $0.transactionID != id }.suffix(Self.maximumDone - 1) + [delivery.proof]
            // The proof goes last: where the process dies between them, it comes again and forgets the rest.
            all = delivered(delivery) + all
        }
        return all
    }

    /// The effect, with how long the gateway may wait.
    private mutating func patient(_ effect: ProofDelivery.Effect) -> ProofDelivery.Effect {
        guard case .send(var submission) = effect else { return effect }
        let isOnScreen = isOnScreen(submission.proof)
        if submission.receiptID == nil {
            submission.waitMilliseconds = isOnScreen ? Self.submissionWaitMilliseconds : 0
        } else if polls.count < (isOnScreen ? Self.maximumPolls.all : Self.maximumPolls.background) {
            polls.insert(submission.proof.transactionID)
            submission.waitMilliseconds = Self.pollWaitMilliseconds
        }
        return .send(submission)
    }

    private mutating func delivered(_ delivery: ProofDelivery) -> [Effect] {
        let proof = delivery.proof
        if isOnScreen(proof), let productID = proof.productID {
            results[productID] = delivery.lastAnswer?.receipt.map(Self.screen)
        }
        return forget(proof.token.flatMap { purchases[$0] }.map { [$0] } ?? [])
    }

    private static func screen(_ receipt: DeliveryAnswer.Receipt) -> PurchaseScreen {
        switch receipt.verdict {
        case "granted": PurchaseScreen(state: .done)
        // Refunded or over by now: there is nothing to hold, and nothing wrong.
        case "ended": PurchaseScreen(state: .ready)
        case _: PurchaseScreen(state: .needsHelp(code: receipt.verdict), isPaid: true)
        }
    }

    @discardableResult
    private mutating func apply(_ event: Checkout.Event, to productID: String) -> [Effect] {
        var checkout = checkouts[productID] ?? Checkout()
        let effects = checkout.apply(event)
        checkouts[productID] = checkout
        if case .keep(let purchase)? = effects.first { purchases[purchase.token] = purchase }
        return effects.map { .purchase(productID: productID, $0) }
    }

    private mutating func buy(_ productID: String) -> [Effect] {
        guard let buyer = caller, hasListed, !begunBefore.contains(productID) else {
            wanted.append(productID)
            return []
        }
        // Who has paid does not pay again: neither while it is delivered, nor before support has helped.
        guard deliveriesOnScreen(productID).isEmpty, results[productID]?.isPaid != true else { return [] }
        if phase(productID) == .idle {
            results[productID] = nil
            overtaken.remove(productID)
        }
        return apply(.buy(buyer: buyer), to: productID)
    }

    /// What still has to wait goes on waiting.
    private mutating func buyWanted() -> [Effect] {
        let products = wanted
        wanted = []
        return products.flatMap { buy($0) }
    }

    private func deliveriesOnScreen(_ productID: String) -> [ProofDelivery] {
        deliveries.values.filter { isOnScreen($0.proof) && $0.proof.productID == productID }
            .sorted { $0.proof.transactionID < $1.proof.transactionID }
    }

    private mutating func wake() -> [Effect] { deliveries.keys.sorted().flatMap { deliver($0, .wake) } }
    private func phase(_ productID: String) -> Checkout.Phase { checkouts[productID]?.phase ?? .idle }
    private func isOnScreen(_ proof: Proof) -> Bool { proof.isPurchase && proof.buyer == caller }

    private mutating func ordered(_ id: String, _ answer: OrderAnswer, uuid: String, now: Int64) -> [Effect] {
        guard let checkout = checkouts[id], checkout.phase == .ordering else { return [] }
        // Nobody pays another login's order.
        guard let buyer = checkout.buyer, buyer == caller else { return apply(.refused, to: id) }
        if overtaken.contains(id) {
            // It is paid by now: nothing pays an order that the gateway has made since.
            guard case .issued(let orderID) = answer else { return apply(.refused, to: id) }
            let unused = Checkout.Effect.report(orderID: orderID, buyer: buyer, .cancelled)
            return apply(.refused, to: id) + [.purchase(productID: id, unused)]
        }
        func begin(_ orderID: String?) -> [Effect] {
            let kept = KeptPurchase(orderID, or: uuid, of: id, buyer: buyer, startedAt: now)
            return makeRoom() + apply(.ordered(kept), to: id)
        }
        let deferred = deferred(id)
        switch answer {
        case .issued(let orderID), .open(let orderID, state: "issued"):
            // Its report was lost, or there was no order to report on: it may be approved at any moment.
            if let waiting = deferred.first(where: { [nil, orderID].contains($0.orderID) }) {
                results[id] = PurchaseScreen(state: .waitingForApproval)
                return apply(.refused, to: id) + [
                    change(waiting) { $0.orderID = orderID },
                    .purchase(productID: id, .report(orderID: orderID, buyer: buyer, .deferred)),
                ]
            }
            // The gateway has another order to pay: this one waits no more, and is matched if it comes.
            return deferred.map { change($0) { $0.state = .unpaid } } + begin(orderID)
        case .unreachable where !deferred.isEmpty, .open(_, state: "deferred"):
            results[id] = PurchaseScreen(state: .waitingForApproval)
        case .unreachable: return begin(nil)
        case .open: results[id] = PurchaseScreen(state: .delivering(isSlow: true))
        case .refused("limitReached", _): results[id] = PurchaseScreen(state: .alreadyOwned)
        case .refused(let code, let detail):
            results[id] = PurchaseScreen(state: .needsHelp(code: code), detail: detail)
        }
        return apply(.refused, to: id)
    }

    /// This buyer's purchases of a product that wait for approval.
    private func deferred(_ productID: String) -> [KeptPurchase] {
        purchases.values.filter { $0.state == .deferred && $0.productID == productID && $0.buyer == caller }
            .sorted { $0.token < $1.token }
    }

    private mutating func change(_ old: KeptPurchase, _ change: (inout KeptPurchase) -> Void) -> Effect {
        var purchase = old
        change(&purchase)
        purchases[purchase.token] = purchase
        return .purchase(productID: purchase.productID, .keep(purchase))
    }

    private mutating func makeRoom() -> [Effect] {
        let busy = Set(checkouts.values.compactMap { $0.purchase?.token })
        let idle = purchases.values.filter { !busy.contains($0.token) }
            .sorted { Self.rank($0) < Self.rank($1) }
        return forget(idle.prefix(max(purchases.count + 1 - Self.maximumKeptPurchases, 0)))
    }

    private mutating func forget(_ gone: some Sequence<KeptPurchase>) -> [Effect] {
        gone.map { purchase in
            purchases[purchase.token] = nil
            read.remove(purchase.token)
            return .purchase(productID: purchase.productID, .forget(purchase))
        }
    }

    /// The purchase of a token, if it is the one that is under way.
    private func underWay(_ productID: String, _ token: String) -> KeptPurchase? {
        checkouts[productID]?.purchase.flatMap { $0.token == token ? $0 : nil }
    }

    private mutating func purchaseKept(_ productID: String, _ token: String, _ isDurable: Bool) -> [Effect] {
        guard let purchase = underWay(productID, token), phase(productID) == .keeping else { return [] }
        let isOver = purchase.buyer != caller || overtaken.contains(productID)
        if isOver || isDurable { return apply(isOver ? .refused : .kept, to: productID) }
        results[productID] = PurchaseScreen(state: .needsHelp(code: "cannot-keep"))
        return apply(.refused, to: productID)
    }

    private mutating func unpaid(_ id: String, _ token: String, _ outcome: PurchaseOutcome) -> [Effect] {
        guard let bought = underWay(id, token) else { return [] }
        if case .failed(let domain, let code) = outcome, bought.buyer == caller {
            results[id] = PurchaseScreen(state: .needsHelp(code: "\(domain) \(code)"))
        }
        return apply(.unpaid(outcome), to: id)
    }

    /// What the screen of a product shows to who is logged in.
    package func screen(of productID: String) -> PurchaseScreen {
        let phase = phase(productID)
        if phase != .idle { return PurchaseScreen(state: phase == .paying ? .paying : .ordering) }
        let sent = deliveriesOnScreen(productID)
        for case (let code?, let detail) in sent.map({ ($0.lastAnswer?.problem, $0.lastAnswer?.detail) }) {
            return PurchaseScreen(state: .needsHelp(code: code), detail: detail, isPaid: true)
        }
        if !sent.isEmpty { return PurchaseScreen(state: .delivering(isSlow: sent.contains(where: \.isSlow))) }
        if caller != nil, wanted.contains(productID) {
            return PurchaseScreen(state: hasListed ? .needsHelp(code: "not-listed") : .ordering)
        }
        if let result = results[productID] { return result }
        let isWaiting = deferred(productID).contains { !read.contains($0.token) }
        return PurchaseScreen(state: isWaiting ? .waitingForApproval : .ready)
    }

    private mutating func changedScreens() -> [Effect] {
        let products = Set(checkouts.keys).union(results.keys).union(purchases.values.map(\.productID))
            .union(deliveries.values.compactMap(\.proof.productID)).union(wanted)
        let before = screens
        screens = Dictionary(uniqueKeysWithValues: products.map { ($0, screen(of: $0)) })
            .filter { $0.value.state != .ready }
        return screens == before ? [] : [.show(screens)]
    }
}
