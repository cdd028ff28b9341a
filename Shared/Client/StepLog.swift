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
    mutating func note(
        _ event: PurchaseFlow.Event,
        of flow: PurchaseFlow,
        at now: Int64
    ) -> Report? {
        guard let (step, code, domain) = Self.step(of: event),
            let (orderID, buyer) = Self.order(of: event, in: flow),
            logs[orderID] != nil || logs.count < Self.maximumOrders
        else { return nil }
        var log = logs[orderID] ?? ([], 0)
        if log.entries.count < StepLog.maximumEntries {
            let cut = { (text: String) in String(text.prefix(StepLog.maximumTextLength)) }
            log.entries.append(.init(at: now, step: step, code: code.map(cut), domain: domain.map(cut)))
        }
        let isEnd = code != nil || [.pending, .cancelled, .notKept, .finished].contains(step)
        let entries = isEnd ? Array(log.entries.dropFirst(log.sent)) : []
        logs[orderID] = step == .finished ? nil : (log.entries, log.sent + entries.count)
        return entries.isEmpty ? nil : (orderID, buyer, entries)
    }

    private static func step(of event: PurchaseFlow.Event) -> (StepLog.Step, code: String?, domain: String?)?
    {
        switch event {
        case .ordered: (.ordered, nil, nil)
        case .purchaseKept(_, let isDurable): (isDurable ? .asked : .notKept, nil, nil)
        case .purchased(_, .transaction): (.paid, nil, nil)
        case .purchased(_, .pending): (.pending, nil, nil)
        case .purchased(_, .cancelled): (.cancelled, nil, nil)
        case .purchased(_, .failed(let domain, let code)): (.failed, code, domain)
        case .proof(_, .kept(_, let isDurable)): (isDurable ? .kept : .notKept, nil, nil)
        case .proof(_, .answered(_, let answer)): (.answered, answer.mayFinish ? nil : answer.word, nil)
        case .proof(_, .finished): (.finished, nil, nil)
        case .launched, .login, .foreground, .networkBack, .seen, .proof, .buy, .reported, .acknowledged,
            .restore:
            nil
        }
    }

    private static func order(of event: PurchaseFlow.Event, in flow: PurchaseFlow) -> (String, buyer: String)?
    {
        switch event {
        case .ordered(let id, _, _, _), .purchaseKept(let id, _), .purchased(let id, _):
            guard let purchase = flow.checkouts[id]?.purchase, let orderID = purchase.orderID else {
                return nil
            }
            return (orderID, purchase.buyer)
        case .proof(let id, _):
            guard let proof = flow.deliveries[id]?.proof, proof.isPurchase, let orderID = proof.orderID else {
                return nil
            }
            return proof.buyer.map { (orderID, $0) }
        case .launched, .login, .foreground, .networkBack, .seen, .buy, .reported, .acknowledged, .restore:
            return nil
        }
    }
}

extension DeliveryAnswer {
    /// What is written of an answer that does not finish.
    fileprivate var word: String { receipt?.word ?? code ?? status.map { "\($0)" } ?? "none" }
}
