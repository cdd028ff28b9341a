import Contracts
import Hummingbird

extension StoreCall {
    /// Send Consumption Information.
    func consumption() async throws -> Response {
        let content: JSONValue = try await apiBody()
        guard case .object(let members) = content else { throw APIError.generalBadRequest }
        let sale = try await sale()
        guard sale.transaction.inAppOwnershipType != "ASSIGNED" else { throw APIError.assignedNotSupported }
        try Self.check(members, of: sale)
        await store.consumption.add(.init(transactionId: sale.id, received: now, content: content))
        return Response(status: .accepted)
    }

    private static let deliveryStatuses = [
        "DELIVERED", "UNDELIVERED_QUALITY_ISSUE", "UNDELIVERED_WRONG_ITEM", "UNDELIVERED_SERVER_OUTAGE",
        "UNDELIVERED_OTHER",
    ]
    private static let refundPreferences = ["DECLINE", "GRANT_FULL", "GRANT_PRORATED"]

    /// What Apple checks, in the order of its error codes.
    private static func check(_ members: [String: JSONValue], of sale: Sale) throws(APIError) {
        guard members["customerConsented"] == .bool(true) else { throw .invalidCustomerConsented }
        guard case .string(let delivery)? = members["deliveryStatus"], deliveryStatuses.contains(delivery)
        else { throw .invalidDeliveryStatus }
        guard case .bool? = members["sampleContentProvided"] else { throw .invalidSampleContent }
        switch members["refundPreference"] {
        case nil: break
        case .string(let preference) where refundPreferences.contains(preference): break
        default: throw .invalidRefundPreference
        }
        switch members["consumptionPercentage"] {
        case nil: break
        case _ where sale.transaction.type == "Auto-Renewable Subscription": throw .consumptionPercentage
        case .integer(0...100_000): break
        default: throw .generalBadRequest
        }
    }
}
