/// Holds everything that a client does against the laws.
///
/// | seen | law that may be broken |
/// |---|---|
/// | a request about a proof | one at a time, not before Retry-After, in moderation, as its buyer, by waiting |
/// | `finish` | only after `"finish": true` in a 200 |
/// | an order | the same key for the same purchase |
/// | `pay` | one purchase at a time of a product, after its order and with its token, and not after a refusal |
/// | `show` | nothing is done before it is, and who has paid is not asked to buy |
///
/// What a client does *not* do is for the scenarios to notice: they know how long to wait.
struct Judge: Sendable {
    /// Most requests about one payment while time stands still: a proof, and what it may take to hear of its verdict.
    static let mostRequestsAtATime = 5

    private(set) var now: Int64
    private(set) var payments: [String: PaymentRecord] = [:]
    private(set) var buyer: String
    /// Products for which StoreKit's sheet is open.
    private var paying: Set<String> = []
    /// The last request for an order of the purchase that is under way, by product.
    private(set) var orders: [String: OrderRequest] = [:]
    /// Whether the client was told that there is no network.
    private var isOffline = false

    /// `time` in ms since 1970.
    init(buyer: String, at time: Int64) {
        self.buyer = buyer
        now = time
    }

    /// Takes notice of something.
    ///
    /// - Throws: the violation, if a law was broken by it.
    mutating func apply(_ observation: Observation) throws(Violation) {
        switch observation {
        case .given(let event, let time): given(event, at: time)
        case .handled(let event): handled(event)
        case .wrote(let line): try wrote(line)
        case .ordered(let request): try ordered(request)
        case .asked(let request): try asked(request)
        case .answered(let request, let answer): answered(request, answer)
        case .killed: killed()
        }
    }

    private mutating func given(_ event: PhoneEvent, at time: Int64) {
        if time > now {
            now = time
            for id in payments.keys { payments[id]?.requestsAtThisTime = 0 }
        }
        switch event {
        case .login(let login): buyer = login.buyerID
        case .buy(let productID): orders[productID] = nil
        case .transaction(let payment), .unfinished(let payment):
            paying.remove(payment.productID)
            orders[payment.productID] = nil
            let known = payments[payment.transactionID]
            var record =
                known ?? PaymentRecord(transactionID: payment.transactionID, productID: payment.productID)
            record.isKnownToLife = true
            record.finishes = 0
            payments[payment.transactionID] = record
        case .approvalPending(let productID), .cancelled(let productID): paying.remove(productID)
        case .offline: isOffline = true
        case .online: isOffline = false
        case .launch, .receipt, .foreground, .tick: break
        }
    }

    /// From now on the proof is kept, and its buyer with it.
    private mutating func handled(_ event: PhoneEvent) {
        guard case .transaction(let payment) = event else { return }
        if payments[payment.transactionID]?.maker == nil { payments[payment.transactionID]?.maker = buyer }
    }

    private mutating func killed() {
        paying = []
        orders = [:]
        isOffline = false
        for id in payments.keys {
            payments[id]?.inFlight = 0
            payments[id]?.notBefore = 0
            payments[id]?.requestsAtThisTime = 0
            payments[id]?.isKnownToLife = false
        }
    }

    private mutating func answered(_ request: ProofRequest, _ answer: GatewayAnswer) {
        for id in request.transactions {
            payments[id]?.inFlight -= 1
            payments[id]?.lastAnswer = answer.description
            if answer.isFinish { payments[id]?.mayFinish = true }
            if let seconds = answer.retryAfter {
                payments[id]?.notBefore = now + Int64(seconds) * 1_000
            }
        }
    }

    private mutating func asked(_ request: ProofRequest) throws(Violation) {
        for id in request.transactions { try asked(request, about: id) }
        if request.kind == .question(wait: nil) || request.kind == .question(wait: 0) {
            throw Violation(.waitsForVerdicts, "asked what became of a proof without ?wait=")
        }
    }

    private mutating func asked(_ request: ProofRequest, about id: String) throws(Violation) {
        guard var record = payments[id] else { return }
        defer { payments[id] = record }
        record.inFlight += 1
        record.requests += 1
        record.requestsAtThisTime += 1
        if request.kind == .proof {
            let maker = record.maker ?? buyer
            record.maker = maker
            guard request.purchasedBy == maker else {
                throw Violation(.keepsBuyer, "sent \(maker)'s proof \(id) as \(request.purchasedBy)'s")
            }
            if let owner = request.orderOf, owner != maker {
                throw Violation(.keepsBuyer, "named \(owner)'s order beside \(maker)'s proof \(id)")
            }
        }
        guard record.inFlight == 1 else {
            throw Violation(
                .sendsOneAtATime,
                "asked about \(id) while another request about it was under way"
            )
        }
        guard now >= record.notBefore else {
            let early = (record.notBefore - now + 999) / 1_000
            throw Violation(
                .obeysRetryAfter,
                "asked about \(id) \(early) s before the time that Retry-After said"
            )
        }
        guard record.requestsAtThisTime <= Self.mostRequestsAtATime else {
            let count = record.requestsAtThisTime
            throw Violation(.asksInModeration, "asked \(count) times about \(id) without a pause")
        }
    }

    private mutating func ordered(_ request: OrderRequest) throws(Violation) {
        if let known = orders[request.productID], known.key != request.key {
            throw Violation(
                .makesOneOrder,
                "asked again for the order of \(request.productID) with another Idempotency-Key"
            )
        }
        orders[request.productID] = request
    }
}

/// What the client writes.
extension Judge {
    private mutating func wrote(_ line: PhoneLine) throws(Violation) {
        switch line {
        case .finish(let id): try finished(id)
        case .pay(let productID, let token): try paid(productID, with: token)
        case .show(let state, let productID): try showed(state, productID)
        case .refreshReceipt, .handled: break
        }
    }

    private mutating func finished(_ id: String) throws(Violation) {
        guard let record = payments[id] else {
            throw Violation(.finishesOnFinishAlone, "finished \(id), which StoreKit has not handed over")
        }
        guard record.mayFinish else {
            let moment = record.lastAnswer.map { "after \($0)" } ?? "before any answer"
            throw Violation(.finishesOnFinishAlone, "finished \(id) \(moment)")
        }
        payments[id]?.finishes += 1
    }

    private mutating func paid(_ productID: String, with token: String?) throws(Violation) {
        let deed = "let \(productID) be paid"
        let owed = payments.values.contains { $0.isUndelivered && $0.productID == productID }
        guard !owed, paying.insert(productID).inserted else {
            throw Violation(.paysOnce, "\(deed) while an earlier payment of it was under way")
        }
        switch orders[productID]?.outcome {
        case .issued(let issued)?:
            guard token?.lowercased() != issued else { return }
            let how = token == nil ? "without the order's token" : "with another token than the order's"
            throw Violation(.paysWithToken, "\(deed) \(how)")
        case .open(let state)?:
            throw Violation(.paysOnce, "\(deed) while an order of it was \(state)")
        case .refused(let answer)?:
            throw Violation(.obeysRefusals, "\(deed) after \(answer) to its order")
        case .unavailable?: break
        case nil:
            guard isOffline else {
                throw Violation(.ordersBeforePaying, "\(deed) without asking for an order first")
            }
        }
    }

    private func showed(_ state: ScreenState, _ productID: String?) throws(Violation) {
        let shown = payments.values.filter { productID == nil || $0.productID == productID }
        switch state {
        case .done where !shown.isEmpty && shown.allSatisfy(\.isUndelivered):
            throw Violation(.saysWhatIsSo, "showed `done` before the goods had come")
        case .ready:
            // Another login is told nothing of it.
            let own = shown.filter { ($0.maker ?? buyer) == buyer }
            guard own.isEmpty || !own.allSatisfy(\.isUndelivered) else {
                throw Violation(
                    .saysWhatIsSo,
                    "showed `ready` to a buyer who has paid and has no goods"
                )
            }
        case .ordering, .paying, .waitingForApproval, .delivering, .done, .alreadyOwned, .needsHelp: break
        }
    }
}

extension PaymentRecord {
    /// Whether this life of the client knows of the payment, and the goods have not come.
    var isUndelivered: Bool { isKnownToLife && !mayFinish }
}
