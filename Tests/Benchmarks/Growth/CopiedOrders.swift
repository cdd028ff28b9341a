import TestKit

/// Reads copied purchases over HTTP, and compares them with those that were really made.
struct CopiedOrders {
    private static let sampled = 100

    let group: TestGroup
    /// The journal of the purchases that were copied.
    let journal: String
    /// How often each was copied.
    let copies: Int

    /// How many copies of the last number have what their originals have.
    ///
    /// - Throws: `HarnessFault` for one that has something else.
    func read() async throws -> Int {
        guard copies > 0 else { return 0 }
        let orders = try PaidOrder.all(in: journal)
        var read = 0
        for order in orders[..<min(Self.sampled, orders.count)] {
            let copy = CopyRules.order(order.orderId, copies)
            let buyer = "\(order.owner).\(copies)"
            let pairs = [
                ("/v1/orders/\(order.orderId)", "/v1/orders/\(copy)"),
                ("/v1/buyers/\(order.owner)/entitlements", "/v1/buyers/\(buyer)/entitlements"),
            ]
            for (original, copied) in pairs {
                let (known, found) = (
                    try await group.gateway.get(original), try await group.gateway.get(copied)
                )
                let expected = known.text.replacing(order.orderId, with: copy).replacing(
                    order.owner,
                    with: buyer
                )
                guard found.isPositive, Self.shape(found.text) == Self.shape(expected) else {
                    throw HarnessFault("\(copied) says \(found.status) \(found.text) instead of \(expected)")
                }
            }
            read += 1
        }
        return read
    }

    /// Without the ids of transactions and the app's own numbers, which differ.
    private static func shape(_ text: String) -> String {
        text.replacing(/"([a-zA-Z]*[tT]ransactionId|reference)":"[^"]*"/, with: "")
    }
}
