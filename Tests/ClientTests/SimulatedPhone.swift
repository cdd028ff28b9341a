@testable import CounterfoilClient

/// A phone, its two logins, StoreKit and a gateway, in one thread and from one seed: it dies at every effect.
struct SimulatedPhone {
    /// How much happens before the weather clears.
    private static let actions = 60
    private static let maximumTurns = 5_000
    /// Half of the lists come later than this.
    private static let listingMilliseconds: Int64 = 1_500
    private static let logins = ["ada", "bob"]

    private struct Pending {
        let at: Int64
        let event: PurchaseFlow.Event
    }

    /// A payment at StoreKit.
    private struct Payment {
        let transaction: SeenTransaction
        /// Who pressed the button; nil for what came by itself.
        let buyer: String?
        /// Whether StoreKit has called it paid, and not first said something else.
        var isSure = false
    }

    private var random: SeededNumbers
    private var flow: VariedFlow
    private var now: Int64 = 0
    private var pending: [Pending] = []
    private var isCalm = false
    private var login: String? = "ada"
    // What survives the death of the process.
    private var stored: [String: KeptRecord] = [:]
    private var payments: [String: Payment] = [:]
    private var finished: Set<String> = []
    private var orders: [String: String] = [:]
    private var firstBuyers: [String: String] = [:]
    // What a process knows.
    private var inFlight: [String: Int] = [:]
    private var mayFinish: Set<String> = []
    private var askedUntil: [String: Int64] = [:]
    private var isPaying = false
    private var offered: [String: Proof] = [:]
    private(set) var broken: Set<FlowLaw> = []
    private(set) var deaths = 0
    private(set) var sends = 0

    init(seed: UInt64, variant: FlowVariant) {
        random = SeededNumbers(seed: seed)
        flow = VariedFlow(variant)
    }

    /// Lives through everything; afterwards `broken` has the laws that did not hold.
    mutating func live() {
        launch()
        for _ in 0..<Self.actions {
            act()
            for _ in 0..<random.below(6) { turn() }
        }
        isCalm = true
        login = "ada"
        launch()
        var turns = 0
        while !pending.isEmpty, finished.count < payments.count, turns < Self.maximumTurns {
            turn()
            turns += 1
        }
        if finished.count < payments.count { broken.insert(.neverGivenUp) }
    }

    private mutating func act() {
        switch random.below(10) {
        case 0, 1: apply(.buy(productID: "coins"))
        case 2: comesByItself()
        case 3:
            login = Self.logins[random.below(2)]
            apply(.login(login))
        case 4:
            login = nil
            apply(.login(nil))
        case 5, 6: apply(.foreground)
        case 7: apply(.networkBack)
        case 8: apply(.acknowledged(productID: "coins"))
        case _: launch()
        }
    }

    /// A new process: all that the old one knew and waited for is gone.
    private mutating func launch() {
        deaths += 1
        flow = flow.relaunched()
        (pending, inFlight, mayFinish, askedUntil, isPaying, offered) = ([], [:], [], [:], false, [:])
        let records = stored.keys.sorted().compactMap { stored[$0] }
        apply(.launched(records, login: login))
        let open = payments.keys.sorted().filter { !finished.contains($0) }
        later(.listed(nil), in: Self.listingMilliseconds)
        let delay = random.below(2) * 15_000 + random.below(3_000)
        later(.listed(open.compactMap { payments[$0]?.transaction }), in: Int64(delay))
    }

    private mutating func comesByItself() {
        let id = "renewal-\(payments.count)"
        payments[id] = Payment(transaction: .sample(id), buyer: nil)
        apply(.seen(.sample(id)))
    }

    private mutating func turn() {
        guard let first = pending.indices.min(by: { pending[$0].at < pending[$1].at }) else { return }
        let next = pending.remove(at: first)
        now = max(now, next.at)
        apply(next.event)
    }

    private mutating func later(_ event: PurchaseFlow.Event, in milliseconds: Int64? = nil) {
        pending.append(Pending(at: now + (milliseconds ?? Int64(random.below(3_000))), event: event))
    }

    private mutating func apply(_ event: PurchaseFlow.Event) {
        if case .proof(let id, .answered(_, let answer)) = event {
            inFlight[id, default: 0] -= 1
            if answer.mayFinish { mayFinish.insert(id) }
            if let asked = answer.retryAfterMilliseconds { askedUntil[id] = now + asked }
        }
        if case .purchased = event { isPaying = false }
        for effect in flow.apply(event, chance: Double(random.below(100)) / 100) {
            if !isCalm, random.below(40) == 0 { return launch() }
            perform(effect)
        }
    }

    private mutating func perform(_ effect: PurchaseFlow.Effect) {
        switch effect {
        case .proof(let id, let turn, .keep(let proof)):
            let isDurable = isCalm || random.below(10) > 0
            offered[id] = proof
            if isDurable {
                stored[KeptRecord.proof(proof).key] = .proof(proof)
                firstBuyers[id] = firstBuyers[id] ?? proof.buyer
            }
            later(.proof(transactionID: id, .kept(turn: turn, isDurable: isDurable)))
        case .proof(let id, let turn, .send(let submission)): send(id, turn, submission)
        case .proof(let id, let turn, .wait(let milliseconds)):
            later(.proof(transactionID: id, .due(turn: turn)), in: milliseconds)
        case .proof(let id, let turn, .finish):
            // What StoreKit lists once more after it was finished is finished once more.
            let isKept = stored[KeptRecord.proofKey(id)] != nil || finished.contains(id)
            if !isKept { broken.insert(.keptBeforeSent) }
            if !mayFinish.contains(id) { broken.insert(.finishedOnItsWordAlone) }
            finished.insert(id)
            later(.proof(transactionID: id, .finished(turn: turn)))
        case .proof(let id, _, .forget): stored[KeptRecord.proofKey(id)] = nil
        case .purchase(let productID, .order(let buyer)): order(productID, buyer)
        case .purchase(let productID, .keep(let purchase)):
            stored[KeptRecord.purchase(purchase).key] = .purchase(purchase)
            later(.purchaseKept(productID: productID, token: purchase.token, isDurable: true))
        case .purchase(_, .forget(let purchase)): stored[KeptRecord.purchase(purchase).key] = nil
        case .purchase(let productID, .purchase(let kept)): pay(productID, kept.token)
        case .proof(_, _, .refreshReceipt), .purchase(_, .report), .show: break
        }
    }

    private mutating func send(_ id: String, _ turn: Int, _ submission: Submission) {
        sends += 1
        // What the store has refused is sent all the same.
        if stored[KeptRecord.proofKey(id)] != .proof(submission.proof), offered[id] != submission.proof,
            flow.variant != .resendUnderNewLogin
        {
            broken.insert(.keptBeforeSent)
        }
        inFlight[id, default: 0] += 1
        if inFlight[id, default: 0] > 1 { broken.insert(.oneSender) }
        if let asked = askedUntil[id], now < asked { broken.insert(.retryAfterObeyed) }
        let buyer = payments[id].flatMap { $0.buyer } ?? firstBuyers[id]
        if let buyer, submission.proof.buyer != buyer { broken.insert(.buyerStays) }
        later(.proof(transactionID: id, .answered(turn: turn, answer())))
    }

    private mutating func answer() -> DeliveryAnswer {
        if isCalm { return .granted }
        let answers: [DeliveryAnswer] = [
            .lost, .lost, .lost, .pending, .busy, .verdict("parked", finish: false), .granted,
            DeliveryAnswer(status: 200), DeliveryAnswer(status: 401), DeliveryAnswer(status: 403),
            DeliveryAnswer(status: 409), DeliveryAnswer(status: 413), DeliveryAnswer(status: 500),
            DeliveryAnswer(status: 429, retryAfter: 5_000),
        ]
        return answers[random.below(answers.count)]
    }

    private mutating func order(_ productID: String, _ buyer: String) {
        let (orderID, token) = ("order-\(orders.count)", "purchase-\(orders.count)")
        (orders[orderID], orders[token]) = (buyer, buyer)
        let answers: [OrderAnswer] = [.refused(code: "notOnSale"), .unreachable, .issued(orderID: orderID)]
        later(.ordered(productID: productID, answers[min(random.below(5), 2)], token: token, now: now))
    }

    private mutating func pay(_ productID: String, _ token: String) {
        let owed = payments.contains {
            $0.value.isSure && !finished.contains($0.key) && $0.value.buyer == orders[token]
        }
        if isPaying || owed { broken.insert(.onePurchase) }
        isPaying = true
        let isKept = stored.values.contains { record in
            if case .purchase(let purchase) = record { purchase.token == token } else { false }
        }
        if !isKept { broken.insert(.buyerStays) }
        let id = "payment-\(payments.count)"
        let transaction = SeenTransaction.sample(id, token: token)
        let outcomes: [PurchaseOutcome] = [
            .cancelled, .failed(domain: "SKErrorDomain", code: "2"), .deferred,
        ]
        let chosen = random.below(6)
        let isUnpaid = chosen < outcomes.count
        let result: Result<SeenTransaction, PurchaseOutcome> =
            isUnpaid ? .failure(outcomes[chosen]) : .success(transaction)
        later(.purchased(productID: productID, token: token, result))
        // What was approved late, or interrupted, is paid all the same.
        guard !isUnpaid || chosen == 2 || random.below(2) == 0 else { return }
        payments[id] = Payment(transaction: transaction, buyer: orders[token], isSure: !isUnpaid)
        if isUnpaid { later(.seen(transaction), in: 20_000) }
    }
}

/// SplitMix64.
struct SeededNumbers {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// From 0 to one less than `limit`.
    mutating func below(_ limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(limit))
    }
}
