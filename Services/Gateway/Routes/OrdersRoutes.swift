import Contracts
import Domain
import Hummingbird
import Program

/// `/v1/orders`: an order number exists before any money moves.
struct OrdersRoutes: Sendable {
    private struct IssueBody: ExactBody {
        enum CodingKeys: CodingKey, CaseIterable {
            case bundleId, buyerId, productId, quantity, environment, reference, metadata, onlyOne
        }

        let bundleId: String
        let buyerId: String
        let productId: String
        let quantity: WholeNumber?
        let environment: String?
        let reference: String?
        let metadata: [String: JSONValue]?
        let onlyOne: Bool?
    }

    private struct CloseBody: ExactBody {
        enum CodingKeys: CodingKey, CaseIterable { case reason }

        let reason: String
    }

    let gateway: GatewayContext

    var routes: [Route] {
        [
            gateway.forward(.post, "/v1/orders", for: .phones, status: .created, issue),
            gateway.appRoute(.get, "/v1/orders", find),
            gateway.forward(.get, "/v1/orders/{orderId}", for: .phones, get),
            gateway.forward(.post, "/v1/orders/{orderId}/close", for: .phones, close),
        ]
    }

    @Sendable private func issue(_ request: AppRequest) async throws -> OrderIssueV1 {
        let app = request.app
        let key = try request.idempotencyKey()
        let body = try await request.body(IssueBody.self)
        try request.caller.checkAbsent(body.reference, "reference")
        let productID = try gateway.product(body.productId, of: app)
        let product = gateway.catalog.product(productID, of: app.bundleId)
        return OrderIssueV1(
            bundleId: try Field.bundle(body.bundleId, of: app),
            buyerId: try request.caller.buyer(body.buyerId),
            productId: productID,
            quantity: try quantity(body.quantity?.value),
            environment: try Field.environment(body.environment, of: app),
            idempotencyKey: key,
            reference: try body.reference.map(Field.reference),
            metadata: try body.metadata.map(Field.metadata),
            onlyOne: body.onlyOne == true ? true : nil,
            limit: product?.limitPerBuyer,
            onSale: product?.isOnSale(at: gateway.now()) == false ? false : nil,
            issuedBy: request.caller.issuer
        )
    }

    private func quantity(_ number: Int?) throws(Problem) -> Int {
        let quantity = number ?? 1
        guard Limits.quantities.contains(quantity) else {
            let rule = "must be from \(Limits.quantities.lowerBound) to \(Limits.quantities.upperBound)"
            throw .unacceptable("quantity", rule)
        }
        return quantity
    }

    @Sendable private func get(_ request: AppRequest) throws -> OrderGetV1 {
        OrderGetV1(
            bundleId: request.app.bundleId,
            orderId: try request.orderID(),
            buyerId: request.caller.onlyBuyer
        )
    }

    @Sendable private func close(_ request: AppRequest) async throws -> OrderCloseV1 {
        let order = try request.orderID()
        let body = try await request.body(CloseBody.self)
        let reason: OrderCloseReason = try Field.word(body.reason, "reason")
        return OrderCloseV1(
            bundleId: request.app.bundleId,
            orderId: order,
            reason: reason,
            buyerId: request.caller.onlyBuyer
        )
    }

    /// The orders with a reference; their buyers are unknown, so all partitions are asked.
    @Sendable private func find(_ request: AppRequest) async throws -> Response {
        guard let text = try request.query("reference") else {
            throw Problem.unacceptable("reference", "is missing")
        }
        let find = OrdersFindV1(bundleId: request.app.bundleId, reference: try Field.reference(text))
        let orders = try await withThrowingTaskGroup(of: OrdersV1.self) { group in
            for partition in 0..<gateway.partitions.count {
                group.addTask {
                    try await gateway.partitions.ask(
                        find,
                        of: PartitionAddress(.orders, partition),
                        subject: find.bundleId.rawValue
                    )
                }
            }
            return try await group.reduce(into: []) { $0 += $1.orders }
        }
        return try .json(["orders": orders.sorted { $0.orderId < $1.orderId }])
    }
}
