import Contracts
import Foundation
import HTTPTypes
import Hummingbird

/// Send Consumption Information, in the schema of 2025 (v2) and in the older one (v1).
struct ConsumptionRoutes: Sendable {
    let store: SimulatedStore
    let environment: StoreEnvironment

    func add(to api: RouterGroup<SimulatorContext>) {
        api.put("v2/transactions/consumption/:transactionId") { request, context in
            try await accept(request, context, version: 2)
        }
        api.put("v1/transactions/consumption/:transactionId") { request, context in
            try await accept(request, context, version: 1)
        }
    }

    private func accept(
        _ request: Request,
        _ context: SimulatorContext,
        version: Int
    ) async throws -> Response {
        let call = APICall(store: store, environment: environment, request: request, context: context)
        let content: JSONValue = try await call.body()
        guard case .object(let members) = content else { throw APIError.generalBadRequest }
        let sale = try await call.sale("transactionId")
        let schema = ConsumptionSchema(members)
        if version == 2 { try schema.checkVersion2(of: sale) } else { try schema.checkVersion1(of: sale) }
        await store.consumption.add(
            .init(transactionId: sale.id, version: version, received: store.now(), content: content)
        )
        return Response(status: .accepted)
    }
}

/// What Apple checks in an answer about consumption, in the order of its error codes.
struct ConsumptionSchema {
    private static let deliveryStatuses = [
        "DELIVERED", "UNDELIVERED_QUALITY_ISSUE", "UNDELIVERED_WRONG_ITEM", "UNDELIVERED_SERVER_OUTAGE",
        "UNDELIVERED_OTHER",
    ]
    private static let refundPreferences = ["DECLINE", "GRANT_FULL", "GRANT_PRORATED"]

    private let members: [String: JSONValue]

    init(_ members: [String: JSONValue]) { self.members = members }

    /// Names first, of all types of product.
    func checkVersion2(of sale: Sale) throws(APIError) {
        try checkConsent()
        guard case .string(let delivery)? = members["deliveryStatus"],
            Self.deliveryStatuses.contains(delivery)
        else { throw .invalidDeliveryStatus }
        try checkSample()
        switch members["refundPreference"] {
        case nil: break
        case .string(let preference) where Self.refundPreferences.contains(preference): break
        default: throw .invalidRefundPreference
        }
        switch members["consumptionPercentage"] {
        case nil: break
        case _ where sale.transaction.type == "Auto-Renewable Subscription": throw .consumptionPercentage
        case .integer(0...100_000): break
        default: throw .generalBadRequest
        }
    }

    /// Numbers, of consumables and auto-renewable subscriptions.
    func checkVersion1(of sale: Sale) throws(APIError) {
        let types = ["Consumable", "Auto-Renewable Subscription"]
        guard types.contains(sale.transaction.type) else { throw .transactionNotConsumable }
        try check("accountTenure", 0...7, .invalidAccountTenure)
        if let token = members["appAccountToken"] {
            guard case .string(let text) = token, text.isEmpty || UUID(uuidString: text) != nil else {
                throw .invalidAppAccountToken
            }
        }
        try check("consumptionStatus", 0...3, .invalidConsumptionStatus)
        try checkConsent()
        try check("deliveryStatus", 0...5, .invalidDeliveryStatus)
        try check("lifetimeDollarsPurchased", 0...7, .invalidLifetimePurchased)
        try check("lifetimeDollarsRefunded", 0...7, .invalidLifetimeRefunded)
        try check("platform", 0...2, .invalidPlatform)
        try check("playTime", 0...7, .invalidPlayTime)
        try checkSample()
        try check("userStatus", 0...4, .invalidUserStatus)
        try check("refundPreference", 0...3, .invalidRefundPreference)
    }

    private func checkConsent() throws(APIError) {
        guard members["customerConsented"] == .bool(true) else { throw .invalidCustomerConsented }
    }

    private func checkSample() throws(APIError) {
        guard case .bool? = members["sampleContentProvided"] else { throw .invalidSampleContent }
    }

    /// What is not said is undeclared, which every range has as 0.
    private func check(_ name: String, _ range: ClosedRange<Int64>, _ error: APIError) throws(APIError) {
        guard let value = members[name] else { return }
        guard case .integer(let number) = value, range.contains(number) else { throw error }
    }
}
