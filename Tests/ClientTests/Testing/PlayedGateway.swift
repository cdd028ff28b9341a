public import CounterfoilClient

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A gateway without a network, for tests and previews: it issues every order, and answers proofs as it is told.
///
/// Told nil, it holds its answers: kill the app while it waits, and start it again, to play a death on the way.
public actor PlayedGateway: PurchaseBackend {
    /// Nil while answers are held.
    private var answer: DeliveryAnswer?
    private let productIDs: [String]
    private var orders = 0
    private var waiting: [AsyncStream<Never>.Continuation] = []
    private let arrive: AsyncStream<Submission>.Continuation
    /// Each proof when it is handed in, before it is answered; for one reader.
    public nonisolated let arrivals: AsyncStream<Submission>
    /// What was handed in, in this order.
    public private(set) var submissions: [Submission] = []

    /// What grants, and lets the kit finish.
    public static let granted = DeliveryAnswer(
        status: 200,
        receipt: .init(receiptId: "played", verdict: "granted", finish: true)
    )

    /// What it sells are consumables; until `play` says something else, every proof is granted, or held if `answer` is
    /// nil.
    public init(selling productIDs: [String] = [], answer: DeliveryAnswer? = granted) {
        (self.productIDs, self.answer) = (productIDs, answer)
        (arrivals, arrive) = AsyncStream.makeStream()
    }

    /// Says what is answered from now on, also to proofs whose answers were held.
    ///
    /// `DeliveryAnswer(status: nil)` is an answer that was lost, nil one that has not come yet: it comes when this is
    /// called with another one.
    public func play(_ answer: DeliveryAnswer?) {
        self.answer = answer
        for waiter in waiting { waiter.finish() }
        waiting = []
    }

    /// What it sells, without titles.
    public func products(buyer: String) -> [CatalogProduct]? {
        let catalog = productIDs.map { ["productId": $0, "type": "consumable"] }
        do {
            return try JSONDecoder().decode([CatalogProduct].self, from: JSONEncoder().encode(catalog))
        } catch { return nil }
    }

    /// Issues one, with the ids `order-1`, `order-2` and so on.
    public func order(productID: String, buyer: String, key: String) -> OrderAnswer {
        orders += 1
        return .issued(orderID: "order-\(orders)")
    }

    /// Has no text.
    public func report(orderID: String, buyer: String, _ outcome: PurchaseOutcome) -> String? { nil }

    /// Answers as it was told; who is cancelled while the answer is held gets none.
    public func submit(_ submission: Submission) async -> DeliveryAnswer {
        submissions.append(submission)
        arrive.yield(submission)
        while answer == nil, !Task.isCancelled {
            let (held, end) = AsyncStream<Never>.makeStream()
            waiting.append(end)
            for await _ in held {}
        }
        return answer ?? DeliveryAnswer(status: nil)
    }

    /// Drops them.
    public func log(orderID: String, buyer: String, _ entries: [StepLog.Entry]) {}
}
