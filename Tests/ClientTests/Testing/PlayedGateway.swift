public import CounterfoilClient

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A gateway without a network, for tests and previews: it issues every order, and answers proofs as it is told.
public actor PlayedGateway: PurchaseBackend {
    private var answer: DeliveryAnswer
    private let productIDs: [String]
    private var orders = 0
    /// What was handed in, in this order.
    public private(set) var submissions: [Submission] = []

    /// What grants, and lets the kit finish.
    public static let granted = DeliveryAnswer(
        status: 200,
        receipt: .init(receiptId: "played", verdict: "granted", finish: true)
    )

    /// What it sells are consumables; until `play` says something else, every proof is granted.
    public init(selling productIDs: [String] = [], answer: DeliveryAnswer = granted) {
        (self.productIDs, self.answer) = (productIDs, answer)
    }

    /// Says what is answered from now on, such as `DeliveryAnswer(status: nil)` for no answer.
    public func play(_ answer: DeliveryAnswer) { self.answer = answer }

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

    /// Answers as it was told.
    public func submit(_ submission: Submission) -> DeliveryAnswer {
        submissions.append(submission)
        return answer
    }

    /// Drops them.
    public func log(orderID: String, buyer: String, _ entries: [StepLog.Entry]) {}
}
