import Foundation

/// The gateway as clients see it: a few doors, and answers that the scenario chooses.
struct PlayedGateway: Sendable {
    /// What is to be done with a request.
    enum Decision: Sendable {
        /// It concerns no payment. A refusal says why nothing else will come of such requests either.
        case reply(GatewayReply?, refusal: String? = nil)
        case order(OrderRequest, GatewayReply?, refusal: String? = nil)
        case proof(ProofRequest, receiptID: String)
    }

    private struct Order: Sendable {
        let id: String
        let buyerID: String
        let productID: String
        let createdAt: Int64
        var state = "issued"

        /// Whether it may be paid, or is, and the goods have not come.
        var isOpen: Bool { ["issued", "deferred", "paid", "parked"].contains(state) }
    }

    /// What every order is answered; nil where it is made.
    var orderAnswer: GatewayAnswer?
    /// Whether requests break off without any answer.
    var isUnreachable = false
    /// How many requests have broken off for that reason, or had a token that is not valid.
    private(set) var vainRequests = 0
    private var answers: [String: [GatewayAnswer]] = [:]
    private var usualAnswers: [GatewayAnswer] = [.granted]
    /// Whose a token is; one that is not here is refused.
    private var buyers: [String: String] = [:]
    /// The transactions of each proof.
    private var proofs: [String: [String]] = [:]
    /// The order for which a transaction paid.
    private var tokens: [String: String] = [:]
    private var receipts: [String: [String]] = [:]
    private var forgotten: Set<String> = []
    private var orders: [String: Order] = [:]
    private var orderOfKey: [String: String] = [:]

    mutating func admit(_ login: Login) { buyers[login.token] = login.buyerID }
    mutating func refuse(_ login: Login) { buyers[login.token] = nil }
    mutating func know(_ proof: String, of payments: [Payment]) {
        proofs[proof] = payments.map(\.transactionID)
        for payment in payments { tokens[payment.transactionID] = payment.appAccountToken }
    }
    /// Knows nothing any more of what was handed in, as after a restored backup.
    mutating func forgetReceipts() { forgotten = Set(receipts.keys) }

    /// Sets the answers to proofs, of one transaction or of all; the last one is repeated.
    mutating func answer(with answers: [GatewayAnswer], to transactionID: String?) {
        if let transactionID { self.answers[transactionID] = answers } else { usualAnswers = answers }
    }

    /// The next answer to a request about payments.
    mutating func nextAnswer(to request: ProofRequest, receiptID: String) -> GatewayAnswer {
        if request.kind == .proof {
            forgotten.remove(receiptID)
        } else if forgotten.contains(receiptID) {
            return .problem(status: 404, code: "notFound")
        }
        guard let id = request.transactions.first(where: { answers[$0] != nil }), var own = answers[id] else {
            return usualAnswers.count > 1 ? usualAnswers.removeFirst() : usualAnswers.first ?? .failed
        }
        let answer = own.count > 1 ? own.removeFirst() : own.first ?? .failed
        answers[id] = own
        return answer
    }

    /// The orders of these transactions are paid for and granted.
    mutating func grant(_ transactions: [String]) {
        for id in transactions.compactMap({ tokens[$0]?.lowercased() }) { orders[id]?.state = "granted" }
    }

    /// What a request is about.
    mutating func decide(_ call: HTTPCall, at time: Int64) throws -> Decision {
        let decision = try look(at: call, time)
        guard call.method == "POST", call.path == "/v1/orders", case .reply(let reply, let refusal) = decision
        else { return decision }
        // Whoever asked for an order has got none.
        let status = reply?.status ?? 0
        let request = OrderRequest(
            key: call.headers["idempotency-key"] ?? "",
            productID: call.members?["productId"] as? String ?? "",
            outcome: refusal.map { .refused("a \(status) (\($0))") } ?? .unavailable("no answer")
        )
        return .order(request, reply, refusal: refusal)
    }

    private mutating func look(at call: HTTPCall, _ time: Int64) throws -> Decision {
        guard !isUnreachable else {
            vainRequests += 1
            return .reply(nil)
        }
        guard let caller = call.token.flatMap({ buyers[$0] }) else {
            vainRequests += 1
            let why =
                call.token == nil
                ? "it has no `Authorization: Bearer`, with the token that the client was given"
                : "its token is not valid, or not that of the last login"
            return try refusal(401, "unauthorized", call, why)
        }
        let parts = call.path.split(separator: "/").map(String.init)
        switch (call.method, parts.first == "v1" ? Array(parts.dropFirst()) : []) {
        case ("POST", ["receipts"]): return try proof(call, caller)
        case ("GET", let path) where path.count == 2 && path[0] == "receipts":
            guard let transactions = receipts[path[1]] else {
                return try refusal(404, "notFound", call, "no answer has named this receipt")
            }
            let kind = ProofRequest.Kind.question(wait: call.query["wait"].flatMap(Int.init))
            let request = ProofRequest(
                kind: kind,
                transactions: transactions,
                caller: caller,
                purchasedBy: caller
            )
            return .proof(request, receiptID: path[1])
        case ("POST", ["orders"]): return try order(call, caller, at: time)
        case (_, let path) where path.count > 1 && path[0] == "orders":
            return try of(path[1].lowercased(), path.dropFirst(2).first, call)
        case ("GET", ["products"]):
            return .reply(try GatewayReply(status: 200, json: ["version": "1", "products": []]))
        case ("GET", let path) where path.count == 3 && path[0] == "buyers":
            let empty: [String: Any] = [
                "entitlements": [], "balances": [:], "orders": [], "subscriptions": [],
            ]
            return .reply(try GatewayReply(status: 200, json: empty))
        default: return try refusal(404, "notFound", call, "there is no such door")
        }
    }

    private func refusal(_ status: Int, _ code: String, _ call: HTTPCall, _ why: String) throws -> Decision {
        .reply(
            try .problem(status, code, why),
            refusal: "\(Quote("\(call.method) \(call.path)")) got \(status), because \(why)"
        )
    }

    private mutating func proof(_ call: HTTPCall, _ caller: String) throws -> Decision {
        guard let body = call.members else {
            return try refusal(400, "invalid", call, "the body is no JSON object")
        }
        guard body["bundleId"] as? String == PlayedWorld.bundleID else {
            return try refusal(403, "forbidden", call, "`bundleId` is not \(PlayedWorld.bundleID)")
        }
        guard body["buyerId"] as? String == caller else {
            return try refusal(403, "forbidden", call, "`buyerId` is not the token's buyer, \(caller)")
        }
        let given = ["signedTransaction", "appReceipt", "transactionReceipt"].compactMap {
            body[$0] as? String
        }
        guard given.count == 1, let transactions = given.first.flatMap({ proofs[$0] }) else {
            throw Violation(
                .sendsProofsAsTheyAre,
                "sent \(given.count == 1 ? "a proof" : "\(given.count) proofs in one request"), not one of StoreKit's"
            )
        }
        let receiptID = "receipt-" + transactions.joined(separator: "-")
        receipts[receiptID] = transactions
        let purchasedBy = body["purchasedBy"] as? String ?? caller
        var request = ProofRequest(
            kind: .proof,
            transactions: transactions,
            caller: caller,
            purchasedBy: purchasedBy
        )
        let named = (body["orderId"] as? String)?.lowercased()
        if let named, !transactions.contains(where: { tokens[$0]?.lowercased() == named }) {
            request.orderOf = orders[named]?.buyerID
        }
        return .proof(request, receiptID: receiptID)
    }
}

/// Orders.
extension PlayedGateway {
    private static let orderMembers: Set = [
        "bundleId", "buyerId", "productId", "quantity", "environment", "metadata", "onlyOne",
    ]

    private mutating func order(_ call: HTTPCall, _ caller: String, at time: Int64) throws -> Decision {
        guard let key = call.headers["idempotency-key"], !key.isEmpty else {
            return try refusal(400, "invalid", call, "the header Idempotency-Key is missing")
        }
        guard let body = call.members, let productID = body["productId"] as? String else {
            return try refusal(422, "invalid", call, "`productId` is missing")
        }
        if let unknown = body.keys.first(where: { !Self.orderMembers.contains($0) }) {
            return try refusal(422, "invalid", call, "`\(unknown)` is no member of a phone's order")
        }
        guard body["buyerId"] as? String == caller, body["bundleId"] as? String == PlayedWorld.bundleID else {
            return try refusal(403, "forbidden", call, "`buyerId` or `bundleId` is not that of the token")
        }
        func request(_ outcome: OrderRequest.Outcome) -> OrderRequest {
            OrderRequest(key: key, productID: productID, outcome: outcome)
        }
        if let answer = orderAnswer {
            // It is made all the same where only the answer is lost.
            if answer == .lost { _ = try made(key, productID, caller, at: time, onlyOne: true) }
            let outcome: OrderRequest.Outcome =
                answer.forbidsPayment ? .refused("\(answer)") : .unavailable("\(answer)")
            return .order(request(outcome), try answer.reply(receiptID: "", transactions: []))
        }
        let onlyOne = body["onlyOne"] as? Bool == true
        let (outcome, reply) = try made(key, productID, caller, at: time, onlyOne: onlyOne)
        return .order(request(outcome), reply)
    }

    private mutating func made(
        _ key: String,
        _ productID: String,
        _ buyerID: String,
        at time: Int64,
        onlyOne: Bool
    ) throws -> (OrderRequest.Outcome, GatewayReply) {
        let known = orderOfKey[key].flatMap { orders[$0] }
        if known == nil, onlyOne, let open = openOrder(of: productID, for: buyerID) {
            return (
                open.state == "issued" ? .issued(token: open.id) : .open(state: open.state),
                try .problem(409, "openOrder", "There is an open order.", with: ["order": json(open)])
            )
        }
        let order = known ?? Order(id: orderID(), buyerID: buyerID, productID: productID, createdAt: time)
        orders[order.id] = order
        orderOfKey[key] = order.id
        return (.issued(token: order.id), try GatewayReply(status: 201, json: json(order)))
    }

    private func openOrder(of productID: String, for buyerID: String) -> Order? {
        orders.values.first { $0.isOpen && $0.buyerID == buyerID && $0.productID == productID }
    }

    /// The open order of a buyer is in another state from now on; if there is none, another phone makes one.
    mutating func setOrder(of productID: String, for buyerID: String, to state: String, at time: Int64) {
        let open = openOrder(of: productID, for: buyerID)
        var order = open ?? Order(id: orderID(), buyerID: buyerID, productID: productID, createdAt: time)
        order.state = state
        orders[order.id] = order
    }

    /// A UUID of version 8, as the gateway's are.
    private func orderID() -> String {
        let number = String(orders.count + 1, radix: 16)
        return "019c0000-0000-8000-8000-" + String(repeating: "0", count: 12 - number.count) + number
    }

    private mutating func of(_ id: String, _ action: String?, _ call: HTTPCall) throws -> Decision {
        guard var order = orders[id] else {
            return try refusal(404, "notFound", call, "there is no such order")
        }
        let isUnpaid = ["issued", "deferred"].contains(order.state)
        switch (call.method, action) {
        case ("GET", nil): return .reply(try GatewayReply(status: 200, json: json(order)))
        case ("POST", "close"):
            if isUnpaid { order.state = "closed" }
            orders[id] = order
            return .reply(try GatewayReply(status: 200, json: json(order)))
        case ("POST", "report"):
            let isDeferred = call.members?["outcome"] as? String == "deferred"
            if isUnpaid { order.state = isDeferred ? "deferred" : "closed" }
            orders[id] = order
            return .reply(
                try GatewayReply(status: 200, json: ["order": json(order), "message": "Please wait."])
            )
        case ("POST", "log"): return .reply(try GatewayReply(status: 200, json: [:]))
        default: return try refusal(404, "notFound", call, "there is no such door")
        }
    }

    private func json(_ order: Order) -> [String: Any] {
        [
            "orderId": order.id, "appAccountToken": order.id, "state": order.state,
            "bundleId": PlayedWorld.bundleID, "buyerId": order.buyerID, "productId": order.productID,
            "quantity": 1,
            "environment": "Production", "origin": "phone", "createdAt": order.createdAt,
        ]
    }
}
