/// What a phone did for an order, for support: it travels with the order and decides nothing.
public enum StepLog {
    /// The most entries that an order has; further ones are left out.
    public static let maximumEntries = 64
    /// The longest `code` and `domain`, in characters.
    public static let maximumTextLength = 64

    /// What a phone did.
    public enum Step: String, Codable, Sendable, CaseIterable {
        case ordered, asked, paid, pending, cancelled, failed, kept, notKept, answered, finished
    }

    /// One step.
    public struct Entry: Codable, Equatable, Sendable {
        /// Milliseconds since 1970, by the phone's clock.
        public let at: Int64
        /// What the phone did then.
        public let step: Step
        /// StoreKit's error, or the gateway's word.
        public var code: String?
        /// Of StoreKit's error.
        public var domain: String?
    }
}

/// The step logs of the orders that are under way.
struct StepLogs {
    /// Orders beyond this number go unlogged.
    static let maximumOrders = 32

    typealias Report = (orderID: String, buyer: String, entries: [StepLog.Entry])

    private var logs: [String: (entries: [StepLog.Entry], sent: Int)] = [:]

    /// Notes what an event says of its order; what is to be handed in now: after what ends a try.
    mutating func note(_ event: PurchaseFlow.Event, of flow: PurchaseFlow, at now: Int64) -> Report? {
        guard let (orderID, buyer, (step, code, domain)) = Self.read(event, in: flow),
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
        return entries.isEmpty ? nil : (orderID, buyer, entries)
    }

    private typealias Note = (step: StepLog.Step, code: String?, domain: String?)

    /// What an event says of its order, and who bought it; nil where it says nothing.
    private static func read(
        _ event: PurchaseFlow.Event,
        in flow: PurchaseFlow
    ) -> (orderID: String, buyer: String, note: Note)? {
        let (purchase, note): (KeptPurchase?, Note)
        switch event {
        case .ordered(let id, _, _, _):
            (purchase, note) = (flow.checkouts[id]?.purchase, (.ordered, nil, nil))
        case .purchaseKept(let id, let token, let isDurable):
            (purchase, note) = (flow.underWay(id, token), (isDurable ? .asked : .notKept, nil, nil))
        case .purchased(let id, let token, let result):
            (purchase, note) = (flow.underWay(id, token), said(result))
        case .proof(let id, let event):
            guard let proof = flow.deliveries[id]?.proof, proof.isPurchase, let orderID = proof.orderID,
                let buyer = proof.buyer, let note = said(event)
            else { return nil }
            return (orderID, buyer, note)
        case .launched, .login, .foreground, .networkBack, .seen, .buy, .reported, .acknowledged:
            return nil
        }
        return purchase.flatMap { bought in bought.orderID.map { ($0, bought.buyer, note) } }
    }

    private static func said(_ result: Result<SeenTransaction, PurchaseOutcome>) -> Note {
        switch result {
        case .success: (.paid, nil, nil)
        case .failure(.deferred): (.pending, nil, nil)
        case .failure(.cancelled): (.cancelled, nil, nil)
        case .failure(.failed(let domain, let code)): (.failed, code, domain)
        }
    }

    private static func said(_ event: ProofDelivery.Event) -> Note? {
        switch event {
        case .kept(_, let isDurable): (isDurable ? .kept : .notKept, nil, nil)
        case .answered(_, let answer): (.answered, answer.mayFinish ? nil : answer.word, nil)
        case .finished: (.finished, nil, nil)
        case .seen, .due, .wake: nil
        }
    }
}

extension DeliveryAnswer {
    /// What is written of an answer that does not finish.
    fileprivate var word: String { receipt?.word ?? code ?? status.map { "\($0)" } ?? "none" }
}
