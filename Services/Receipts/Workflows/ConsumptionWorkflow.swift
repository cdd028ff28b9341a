import Contracts
import Delivery

/// Apple's questions what was used of a purchase.
extension HandlerContext {
    /// Notes a question that can still be answered.
    mutating func note(_ request: ConsumptionRequest) throws {
        guard !request.isOver(at: now) else { return }
        if try ConsumptionRequestStore(connection: connection).add(request) { scheduleWork(at: now) }
    }

    /// Goes on with the requests about a purchase that somebody has come to hold.
    mutating func noteHolder(of purchase: PurchaseKey) throws {
        for request in try ConsumptionRequestStore(connection: connection).requests(about: purchase) {
            try apply(.held, to: request)
        }
    }

    /// Goes on with a request that was due; `result` is what Apple said, if it was told something, to its question of
    /// `askedAt`.
    mutating func finishConsumption(
        of key: ConsumptionRequest.Key,
        _ result: AppleJobResult?,
        askedAt: Timestamp
    ) throws {
        guard let request = try ConsumptionRequestStore(connection: connection).request(key) else { return }
        if let result {
            try apply(.told(result, askedAt: askedAt), to: request)
            return
        }
        let purchase = PurchaseKey(key.environment, key.bundleID, request.purchaseID)
        let claim = try ClaimStore(connection: connection).record(purchase)?.claim
        let holder: BuyerID? = if case .held(let holder)? = claim?.state { holder.buyer } else { nil }
        try apply(.due(holder: holder), to: request)
    }

    /// Applies an event to a stored request, and does what follows.
    mutating func apply(_ event: ConsumptionRequest.Event, to stored: ConsumptionRequest) throws {
        var request = stored
        let store = ConsumptionRequestStore(connection: connection)
        for directive in request.apply(event, now: now, random: newNumber()) {
            switch directive {
            case .askLedger(let buyer):
                try send(
                    ConsumptionRequestedV1(
                        bundleId: request.key.bundleID,
                        buyerId: buyer,
                        environment: request.key.environment,
                        purchaseId: request.purchaseID,
                        transactionId: request.key.transactionID,
                        originalTransactionId: request.originalTransactionID
                    )
                )
            case .alarm(let text): alarm(text)
            case .save:
                try store.save(request)
                if let due = request.dueAt { scheduleWork(at: due) }
            case .remove: try store.remove(request)
            }
        }
    }
}
