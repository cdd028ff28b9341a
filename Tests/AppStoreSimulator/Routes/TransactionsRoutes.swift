import Contracts
import Foundation
import HTTPTypes
import Hummingbird

/// Get Transaction Info and Set App Account Token.
struct TransactionsRoutes: Sendable {
    let store: SimulatedStore
    let environment: StoreEnvironment

    func add(to api: RouterGroup<SimulatorContext>) {
        api.get("v1/transactions/:transactionId", use: info)
        api.put("v1/transactions/:transactionId/appAccountToken", use: setAppAccountToken)
    }

    private func call(_ request: Request, _ context: SimulatorContext) -> APICall {
        APICall(store: store, environment: environment, request: request, context: context)
    }

    @Sendable private func info(_ request: Request, _ context: SimulatorContext) async throws -> Response {
        let call = call(request, context)
        let sale = try await call.sale("transactionId")
        return try .json(["signedTransactionInfo": store.signed(sale, call.quality)])
    }

    private struct AccountToken: Decodable {
        let appAccountToken: String
    }

    @Sendable private func setAppAccountToken(
        _ request: Request,
        _ context: SimulatorContext
    ) async throws -> Response {
        let call = call(request, context)
        let wanted: AccountToken = try await call.body()
        guard UUID(uuidString: wanted.appAccountToken) != nil else {
            throw APIError.invalidAppAccountTokenUUID
        }
        let sale = try await call.sale("transactionId")
        guard sale.transaction.originalTransactionId == sale.id else {
            throw APIError.notOriginalTransactionId
        }
        guard sale.transaction.inAppOwnershipType == "PURCHASED" else {
            throw APIError.familyTransactionNotSupported
        }
        try await store.register.setAppAccountToken(wanted.appAccountToken, of: sale.id, at: store.now())
        return Response(status: .ok)
    }
}
