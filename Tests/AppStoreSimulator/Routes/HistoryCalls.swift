import Contracts
import Hummingbird

extension StoreCall {
    /// Get Transaction History, version 2: everything that a customer has bought, the latest change at the end.
    func history() async throws -> Response {
        let sale = try await sale()
        let filter = try HistoryFilter(self)
        let all = await store.sales.history(of: sale).filter(filter.lets)
        var members = try page(of: all, descending: filter.isDescending)
        members.add(await app(of: sale))
        return try .json(members)
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

    init(_ call: StoreCall) throws(APIError) {
        func date(_ name: String, _ invalid: APIError) throws(APIError) -> Int64? {
            guard let text = call.query(name) else { return nil }
            guard let date = Int64(text), date >= 0 else { throw invalid }
            return date
        }
        let start = try date("startDate", .invalidStartDate) ?? 0
        let end = try date("endDate", .invalidEndDate) ?? .max
        guard start <= end else { throw .startDateAfterEndDate }
        dates = start...end
        productIds = call.queries("productId")
        guard !productIds.contains("") else { throw .invalidProductId }
        let types = call.queries("productType").map { Self.types[$0] }
        guard !types.contains(nil) else { throw .invalidProductType }
        self.types = types.compactMap(\.self)
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
        let revoked = call.query("revoked")
        isRevoked = revoked.flatMap(Bool.init)
        guard revoked == nil || isRevoked != nil else { throw .invalidRevoked }
    }

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
