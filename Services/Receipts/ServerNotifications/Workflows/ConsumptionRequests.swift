import Contracts
import Delivery

/// Apple's questions what was used of a purchase.
struct ConsumptionRequests {
    private let context: HandlerContext

    init(_ context: HandlerContext) { self.context = context }

    /// Notes a question that can still be answered.
    func add(_ request: ConsumptionRequest) throws {
        guard !request.isOver(at: context.now) else { return }
        if try store.add(request) { context.scheduleWork(at: context.now) }
    }

    /// Goes on with the requests about a purchase that somebody has come to hold.
    func noteHolder(of purchase: PurchaseKey) throws {
        for request in try store.requests(about: purchase) { try apply(.held, to: request) }
    }

    /// Goes on with a request that was due; `result` is what Apple said, if it was told something, to its question of
    /// `askedAt`.
    func finish(_ key: ConsumptionRequest.Key, _ result: AppleJobResult?, askedAt: Timestamp) throws {
        guard let request = try store.request(key) else { return }
        if let result { return try apply(.told(result, askedAt: askedAt), to: request) }
        let purchase = PurchaseKey(key.environment, key.bundleID, request.purchaseID)
        let record = try ClaimStore(connection: context.connection).record(purchase)
        try apply(.due(holder: record?.claim.state.holder?.buyer), to: request)
    }

    /// Applies an event to a stored request, and does what follows.
    func apply(_ event: ConsumptionRequest.Event, to stored: ConsumptionRequest) throws {
        var request = stored
        for directive in request.apply(event, now: context.now, random: context.newNumber()) {
            switch directive {
            case .askLedger(let buyer):
                let question = ConsumptionRequestedV1(
                    bundleId: request.key.bundleID,
                    buyerId: buyer,
                    environment: request.key.environment,
                    purchaseId: request.purchaseID,
                    transactionId: request.key.transactionID,
                    originalTransactionId: request.originalTransactionID
                )
                try context.send(question)
            case .alarm(let text): context.alarm(.consumptionRequestLate, text)
            case .save:
                try store.save(request)
                if let due = request.dueAt { context.scheduleWork(at: due) }
            case .remove: try store.remove(request)
            }
        }
    }

    private var store: ConsumptionRequestStore { ConsumptionRequestStore(connection: context.connection) }
}
