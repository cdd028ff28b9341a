/// The step logs of the orders that are under way.
struct StepLogs {
    /// Orders beyond this number go unlogged.
    static let maximumOrders = 32
    private var logs: [String: (entries: [StepLog.Entry], sent: Int)] = [:]

    /// Notes what an event says of its order; what is to be handed in now: after what ends a try.
    mutating func note(
        _ event: PurchaseFlow.Event,
        from before: PurchaseFlow,
        to flow: PurchaseFlow,
        at now: Int64
    ) -> (orderID: String, buyer: String, entries: [StepLog.Entry])? {
        // An order is known after it was made, a proof until it is forgotten.
        guard let (step, code, domain) = event.said,
            let purchase = before.purchase(of: event) ?? flow.purchase(of: event),
            let orderID = purchase.orderID,
            logs[orderID] != nil || logs.count < Self.maximumOrders
        else { return nil }
        var log = logs[orderID] ?? ([], 0)
        if log.entries.count < StepLog.maximumEntries {
            let cut = { (text: String) in String(text.prefix(StepLog.maximumTextLength)) }
            log.entries.append(.init(at: now, step: step, code: code.map(cut), domain: domain.map(cut)))
        }
        let isEnd = code != nil || [.pending, .cancelled, .notKept, .finished].contains(step)
        let entries = isEnd ? Array(log.entries.dropFirst(log.sent)) : []
        let isOver = [.cancelled, .failed, .finished].contains(step)
        logs[orderID] = isOver ? nil : (log.entries, log.sent + entries.count)
        return entries.isEmpty ? nil : (orderID, purchase.buyer, entries)
    }
}

extension PurchaseFlow.Event {
    /// What the phone did by it; nil where there is nothing to note.
    fileprivate var said: (step: StepLog.Step, code: String?, domain: String?)? {
        switch self {
        case .ordered: (.ordered, nil, nil)
        case .purchaseKept(_, _, let isDurable): (isDurable ? .asked : .notKept, nil, nil)
        case .purchased(_, _, .success): (.paid, nil, nil)
        case .purchased(_, _, .failure(.deferred)): (.pending, nil, nil)
        case .purchased(_, _, .failure(.cancelled)): (.cancelled, nil, nil)
        case .purchased(_, _, .failure(.failed(let domain, let code))): (.failed, code, domain)
        case .proof(_, .kept(_, let isDurable)): (isDurable ? .kept : .notKept, nil, nil)
        case .proof(_, .answered(_, let answer)): (.answered, answer.mayFinish ? nil : answer.word, nil)
        case .proof(_, .finished): (.finished, nil, nil)
        case _: nil
        }
    }
}

extension PurchaseFlow {
    /// The purchase that an event is about.
    fileprivate func purchase(of event: Event) -> KeptPurchase? {
        switch event {
        case .ordered(let productID, _, _, _): checkouts[productID]?.purchase
        case .purchaseKept(_, let token, _), .purchased(_, let token, _): purchases[token]
        case .proof(let id, _): deliveries[id]?.proof.token.flatMap { purchases[$0] }
        case _: nil
        }
    }
}
