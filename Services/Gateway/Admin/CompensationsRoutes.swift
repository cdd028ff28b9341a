import Contracts
import Domain
import FoundationEssentials
import Hummingbird
import Program

/// `/v1/admin/compensations`: an operator proposes to give a buyer goods without a proven payment (补单).
struct CompensationsRoutes: Sendable {
    private struct Body: ExactBody {
        enum CodingKeys: CodingKey, CaseIterable {
            case productId, quantity, buyerId, bundleId, environment, reason, orderId, appleOrderId
            case transactionIds, goodwill
        }

        let productId: String
        let quantity: WholeNumber?
        let buyerId: String
        let bundleId: String?
        let environment: String?
        let reason: String
        let orderId: String?
        let appleOrderId: String?
        let transactionIds: [String]?
        let goodwill: Bool?
    }

    private static let unpaid: Set<OrderV1.State> = [.issued, .deferred, .closed]

    let gateway: GatewayContext

    var routes: [Route] { [gateway.adminRoute(.post, "/compensations", for: .support, propose)] }

    @Sendable private func propose(_ request: AdminRequest) async throws -> Response {
        let body = try await request.body(Body.self)
        let app = try request.app(body.bundleId, in: gateway.configuration)
        let buyer = try request.buyer(body.buyerId)
        let shard = PartitionKey.buyer(buyer, of: app.bundleId).shard
        let quantity = body.quantity?.value ?? 1
        guard Limits.quantities.contains(quantity) else {
            let rule = "must be from \(Limits.quantities.lowerBound) to \(Limits.quantities.upperBound)"
            throw Problem.unacceptable("quantity", rule)
        }
        let proposal = CompensationProposeV1(
            proposalId: try request.proposal(.compensation, at: shard),
            bundleId: app.bundleId,
            buyerId: buyer,
            environment: try Field.environment(body.environment, of: app),
            productId: try gateway.product(body.productId, of: app),
            quantity: quantity,
            basis: try basis(body),
            reason: try request.reason(body.reason),
            operatorId: request.by.id
        )
        do throws(Problem) {
            return .json(bytes: try await proposed(proposal, request), status: .created)
        } catch {
            // What has become of its order since is no reason to refuse a proposal that was made.
            guard error.status.kind == .clientError, try await isKnown(proposal) else { throw error }
            return .json(bytes: try await gateway.partitions.forward(proposal), status: .created)
        }
    }

    private func proposed(
        _ proposal: CompensationProposeV1,
        _ request: AdminRequest
    ) async throws(Problem) -> Data {
        if let order = proposal.basis.orderId { try await check(order, proposal) }
        if let transactions = proposal.basis.transactionIds { try await check(transactions, proposal) }
        let reservation = AppleOrderReservation(for: proposal, in: gateway)
        let partitions = gateway.partitions
        return try await request.counted(
            proposal.proposalId,
            partitions,
            holding: reservation
        ) { () async throws(Problem) in
            try await partitions.forward(proposal)
        }
    }

    /// Whether there is a proposal of this id already.
    private func isKnown(_ proposal: CompensationProposeV1) async throws(Problem) -> Bool {
        var look = CompensationDecideV1(
            proposalId: proposal.proposalId,
            decision: .confirm,
            operatorId: proposal.operatorId
        )
        look.isDryRun = true
        do throws(Problem) {
            _ = try await gateway.partitions.ask(look)
            return true
        } catch {
            guard error.status == .notFound else { throw error }
            return false
        }
    }

    /// Exactly one of the three.
    private func basis(_ body: Body) throws(Problem) -> CompensationBasis {
        let named = [body.orderId != nil, body.appleOrderId != nil, body.goodwill == true]
        guard named.count(where: \.self) == 1 else {
            throw .unacceptable("orderId", "must be named, or appleOrderId, or goodwill; exactly one of them")
        }
        let transactions = try transactions(body)
        if let text = body.orderId {
            guard let order = OrderID(rawValue: text) else {
                throw .unacceptable("orderId", "must be the id of an order")
            }
            RequestNote.add { $0.orderId = order.rawValue }
            return CompensationBasis(kind: .order, orderId: order)
        }
        if let text = body.appleOrderId {
            guard let number = AppleOrderID(rawValue: text) else {
                throw .unacceptable("appleOrderId", AppleOrderID.rule)
            }
            return CompensationBasis(kind: .appleOrder, appleOrderId: number, transactionIds: transactions)
        }
        return CompensationBasis(kind: .goodwill)
    }

    private func transactions(_ body: Body) throws(Problem) -> [TransactionID]? {
        guard let texts = body.transactionIds else { return nil }
        guard body.appleOrderId != nil else {
            throw .unacceptable("transactionIds", "are those of an appleOrderId")
        }
        let transactions = texts.compactMap(TransactionID.init(rawValue:)).filter(\.isNumber)
        guard transactions.count == texts.count,
            Limits.transactionsOfCompensation.contains(texts.count)
        else {
            let most = Limits.transactionsOfCompensation.upperBound
            throw .unacceptable(
                "transactionIds",
                "must be ids of transactions, digits alone, \(most) at most"
            )
        }
        return transactions
    }

    /// The order must be this buyer's, of this product, and unpaid: what is paid is on its way.
    private func check(_ id: OrderID, _ proposal: CompensationProposeV1) async throws(Problem) {
        let question = OrderGetV1(bundleId: proposal.bundleId, orderId: id, buyerId: nil)
        let order = try await gateway.partitions.ask(question)
        guard order.buyerId == proposal.buyerId else {
            throw Problem.unacceptable("orderId", "is an order of another buyer")
        }
        guard order.productId == proposal.productId else {
            throw Problem.unacceptable("productId", "is not the product of this order: \(order.productId)")
        }
        guard order.quantity == proposal.quantity else {
            throw Problem.unacceptable("quantity", "is not that of this order: \(order.quantity)")
        }
        guard order.environment == proposal.environment else {
            throw Problem.unacceptable(
                "environment",
                "is not that of this order: \(order.environment.rawValue)"
            )
        }
        guard Self.unpaid.contains(order.state) else {
            throw Problem(
                RequestRefusal(.conflict, "The order is \(order.state.rawValue).", field: "orderId")
            )
        }
    }

    /// Nobody may know a transaction: what is held was granted, or is on its way; what is nobody's can be assigned.
    private func check(
        _ transactions: [TransactionID],
        _ proposal: CompensationProposeV1
    ) async throws(Problem) {
        try await KnownPurchases(
            gateway: gateway,
            appleOrderId: nil,
            transactionIds: transactions,
            bundleId: proposal.bundleId,
            buyerId: proposal.buyerId,
            environment: proposal.environment,
            productId: proposal.productId,
            operatorId: proposal.operatorId,
            isConfirmed: false,
            field: "transactionIds"
        ).check()
    }
}
