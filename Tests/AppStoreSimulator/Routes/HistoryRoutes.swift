import Contracts
import Hummingbird

/// Get Transaction History, version 2: everything that a customer has bought, the latest change at the end.
struct HistoryRoutes: Sendable {
    let store: SimulatedStore
    let environment: StoreEnvironment

    func add(to api: RouterGroup<SimulatorContext>) {
        api.get("v2/history/:transactionId", use: history)
    }

    private struct Answer: Encodable {
        let revision: String
        let hasMore: Bool
        let bundleId: String
        let appAppleId: Int64?
        let environment: String
        let signedTransactions: [String]
    }

    @Sendable private func history(_ request: Request, _ context: SimulatorContext) async throws -> Response {
        let call = APICall(store: store, environment: environment, request: request, context: context)
        let sale = try await call.sale("transactionId")
        let filter = try HistoryFilter(call)
        let all = await store.register.history(of: sale).filter(filter.lets)
        let page = try Page(
            of: all,
            after: call.query("revision"),
            descending: filter.isDescending
        )
        let isProduction = environment == .production
        let appAppleId = await store.apps.appAppleId(of: sale.transaction.bundleId)
        return try .json(
            Answer(
                revision: page.revision,
                hasMore: page.hasMore,
                bundleId: sale.transaction.bundleId,
                appAppleId: isProduction ? appAppleId : nil,
                environment: environment.rawValue,
                signedTransactions: page.sales.map { try store.signed($0, call.quality) }
            )
        )
    }
}

/// Which sales a caller of Get Transaction History wants.
struct HistoryFilter: Sendable {
    private static let types = [
        "AUTO_RENEWABLE": "Auto-Renewable Subscription", "NON_RENEWABLE": "Non-Renewing Subscription",
        "CONSUMABLE": "Consumable", "NON_CONSUMABLE": "Non-Consumable",
    ]

    let isDescending: Bool
    private let dates: ClosedRange<Int64>
    private let productIds: [String]
    private let types: [String]
    private let groups: [String]
    private let ownership: String?
    private let isRevoked: Bool?

    init(_ call: APICall) throws(APIError) {
        let start = try call.date("startDate", invalid: .invalidStartDate) ?? 0
        let end = try call.date("endDate", invalid: .invalidEndDate) ?? .max
        guard start <= end else { throw .startDateAfterEndDate }
        dates = start...end
        productIds = call.queries("productId")
        guard !productIds.contains("") else { throw .invalidProductId }
        var types: [String] = []
        for name in call.queries("productType") {
            guard let type = Self.types[name] else { throw .invalidProductType }
            types.append(type)
        }
        self.types = types
        groups = call.queries("subscriptionGroupIdentifier")
        ownership = call.query("inAppOwnershipType")
        guard [nil, "PURCHASED", "FAMILY_SHARED", "ASSIGNED"].contains(ownership) else {
            throw .invalidOwnershipType
        }
        switch call.query("sort") {
        case nil, "ASCENDING": isDescending = false
        case "DESCENDING": isDescending = true
        default: throw .invalidSort
        }
        switch call.query("revoked") {
        case nil: isRevoked = nil
        case "true": isRevoked = true
        case "false": isRevoked = false
        default: throw .invalidRevoked
        }
    }

    /// Whether a sale is wanted.
    func lets(_ sale: Sale) -> Bool {
        let transaction = sale.transaction
        return dates.contains(transaction.purchaseDate)
            && (productIds.isEmpty || productIds.contains(transaction.productId))
            && (types.isEmpty || types.contains(transaction.type))
            && (groups.isEmpty || groups.contains(transaction.subscriptionGroupIdentifier ?? ""))
            && (ownership == nil || ownership == transaction.inAppOwnershipType)
            && (isRevoked == nil || isRevoked == (transaction.revocationDate != nil))
    }
}
