import Contracts
import Domain
import Foundation
import Hummingbird
import NIOCore
import Program

/// `/v1/orders`: an order number exists before any money moves.
struct OrdersRoutes: Sendable {
    /// Units of one purchase; Apple allows 10 at most.
    static let quantities = 1...10
    /// The largest `metadata`, in bytes of JSON.
    static let maximumMetadataBytes = 2 << 10

    let edge: Edge

    /// The routes of the resource.
    var routes: [Route] {
        [
            Route(.post, "/v1/orders", issue),
            Route(.get, "/v1/orders", find),
            Route(.get, "/v1/orders/{orderId}", get),
            Route(.post, "/v1/orders/{orderId}/close", close),
        ]
    }

    private struct IssueBody: Decodable {
        let bundleId: String
        let buyerId: String
        let productId: String
        let quantity: WholeNumber?
        let environment: String?
        let reference: String?
        let metadata: [String: JSONValue]?
    }

    private struct CloseBody: Decodable {
        let reason: String
    }

    private struct Found: Encodable {
        let orders: [OrderV1]
    }

    @Sendable private func issue(_ request: Request, _ context: BasicRequestContext) async throws -> Response
    {
        let app = try edge.authentication.app(request.headers)
        let key = try Field.idempotencyKey(request.headers)
        let lane = edge.admission.purchases
        return try await edge.withBody(of: request, upTo: .small, in: lane) { bytes in
            let body = try JSONBody.decode(IssueBody.self, from: bytes)
            let order = try await edge.partitions.issue(try check(body, key: key, app: app))
            return .json(bytes: order, status: .created)
        }
    }

    private func check(
        _ body: IssueBody,
        key: String,
        app: Configuration.App
    ) throws(Problem) -> OrderIssueV1 {
        OrderIssueV1(
            bundleId: try Field.bundle(body.bundleId, of: app),
            buyerId: try Field.buyer(body.buyerId),
            productId: try product(body.productId, of: app),
            quantity: try quantity(body.quantity?.value),
            environment: try Field.environment(body.environment, of: app),
            idempotencyKey: key,
            reference: try body.reference.map(Field.reference),
            metadata: try body.metadata.map(metadata)
        )
    }

    private func product(_ text: String, of app: Configuration.App) throws(Problem) -> ProductID {
        let product = try Field.identifier(
            ProductID.self,
            text,
            "productId",
            "1 to 255 bytes of printable text"
        )
        switch edge.configuration.catalog.lookup(bundleID: app.bundleId, productID: product) {
        case .active: return product
        case .retired: throw .unacceptable("productId", "names a product that is sold no more")
        case .unknown: throw .unacceptable("productId", "names no product of the catalog")
        }
    }

    private func quantity(_ number: Int?) throws(Problem) -> Int {
        let quantity = number ?? 1
        guard Self.quantities.contains(quantity) else {
            let rule = "must be from \(Self.quantities.lowerBound) to \(Self.quantities.upperBound)"
            throw .unacceptable("quantity", rule)
        }
        return quantity
    }

    private func metadata(_ members: [String: JSONValue]) throws(Problem) -> [String: JSONValue] {
        let bytes: Int
        do {
            bytes = try EventCoder.encoder().encode(members).count
        } catch {
            throw .unacceptable("metadata", "has a value that has no JSON form")
        }
        guard bytes <= Self.maximumMetadataBytes else {
            throw .unacceptable("metadata", "must be \(Self.maximumMetadataBytes) bytes of JSON at most")
        }
        return members
    }

    @Sendable private func get(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        let app = try edge.authentication.app(request.headers)
        let order = try orderID(context)
        return .json(bytes: try await edge.partitions.order(order, of: app.bundleId))
    }

    @Sendable private func close(_ request: Request, _ context: BasicRequestContext) async throws -> Response
    {
        let app = try edge.authentication.app(request.headers)
        let order = try orderID(context)
        let lane = edge.admission.purchases
        return try await edge.withBody(of: request, upTo: .small, in: lane) { bytes in
            let reason = try reason(JSONBody.decode(CloseBody.self, from: bytes))
            let close = OrderCloseV1(bundleId: app.bundleId, orderId: order, reason: reason)
            return .json(bytes: try await edge.partitions.close(close))
        }
    }

    private func reason(_ body: CloseBody) throws(Problem) -> OrderCloseReason {
        guard let reason = OrderCloseReason(rawValue: body.reason) else {
            let known = OrderCloseReason.allCases.map(\.rawValue).joined(separator: ", ")
            throw .unacceptable("reason", "must be one of \(known)")
        }
        return reason
    }

    private func orderID(_ context: BasicRequestContext) throws(Problem) -> OrderID {
        guard let order = OrderID(rawValue: try context.pathParameter("orderId")) else {
            throw .notFound("No order of this app has this id.", field: "orderId")
        }
        return order
    }

    /// The orders with a reference; which buyer's they are is not known, so all partitions are asked.
    @Sendable private func find(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        let app = try edge.authentication.app(request.headers)
        guard let text = Query(request).text("reference") else {
            throw Problem.unacceptable("reference", "is missing")
        }
        let reference = try Field.reference(text)
        let partitions = edge.partitions
        let orders = try await withThrowingTaskGroup(of: OrderV1?.self) { group in
            for partition in 0..<partitions.count {
                group.addTask {
                    try await partitions.order(reference: reference, of: app.bundleId, in: partition)
                }
            }
            return try await group.reduce(into: [OrderV1]()) { found, order in
                if let order { found.append(order) }
            }
        }
        return try .json(Found(orders: orders.sorted { $0.orderId < $1.orderId }))
    }
}
