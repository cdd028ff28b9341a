import Contracts
import TestKit
import Testing

@testable import AppStore

@Suite(.enabled(if: Vectors.areThere, "no vectors"))
struct `Apple's own samples of answers` {
    private func answer<Request: AppStoreServerRequest>(
        to request: Request.Type,
        _ name: String
    ) throws -> Request.Response {
        let body = try Vectors.bytes("apple-mock/models/\(name).json")
        let reading = ServerAPIResult<Request.Response>(
            AppleHTTPResponse(status: 200, body: body),
            now: .newYear2026
        )
        switch reading {
        case .response(let response): return response
        case .failed(let error): throw error
        case .unavailable: throw AppStoreServerError.cancelled
        }
    }

    private func error(_ name: String, status: Int) throws -> ServerAPIResult<GetTransactionInfo.Response> {
        ServerAPIResult(
            AppleHTTPResponse(status: status, body: try Vectors.bytes("apple-mock/models/\(name).json")),
            now: .newYear2026
        )
    }

    @Test func `transaction info`() throws {
        let answer = try answer(to: GetTransactionInfo.self, "transactionInfoResponse")
        #expect(answer.signedTransactionInfo == "signed_transaction_info_value")
    }

    @Test func `transaction history`() throws {
        let answer = try answer(to: GetTransactionHistory.self, "transactionHistoryResponse")
        #expect(answer.revision == "revision_output")
        #expect(answer.hasMore)
        #expect(answer.bundleId == "com.example")
        #expect(answer.appAppleId == 323_232)
        #expect(answer.environment == .localTesting)
        #expect(answer.signedTransactions == ["signed_transaction_value", "signed_transaction_value2"])
    }

    @Test func `transaction history of an environment that nobody knows keeps its name`() throws {
        let answer = try answer(
            to: GetTransactionHistory.self,
            "transactionHistoryResponseWithMalformedEnvironment"
        )
        #expect(answer.environment == Environment(rawValue: "LocalTestingxxx"))
    }

    @Test func `transaction history with text for a number is an error that names the field`() throws {
        #expect(throws: AppStoreServerError.malformedResponse("the field appAppleId is no Int64")) {
            try answer(
                to: GetTransactionHistory.self,
                "transactionHistoryResponseWithMalformedAppAppleId"
            )
        }
    }

    @Test func `an order looked up that is none of this app's`() throws {
        let answer = try answer(to: LookUpOrderID.self, "lookupOrderIdResponse")
        #expect(!answer.isValid)
        #expect(answer.signedTransactions == ["signed_transaction_one", "signed_transaction_two"])
    }

    @Test func `the statuses of all subscriptions`() throws {
        let answer = try answer(to: GetAllSubscriptionStatuses.self, "getAllSubscriptionStatusesResponse")
        let items = answer.data.flatMap(\.lastTransactions)
        #expect(answer.data.count == 2 && items.count == 3)
        #expect(items.first?.status == 1 && items.first?.signedTransactionInfo == "signed_transaction_one")
        #expect(items.first?.signedRenewalInfo == "signed_renewal_one")
    }

    @Test func `notification history, with results of attempts that are not known here`() throws {
        let answer = try answer(to: GetNotificationHistory.self, "getNotificationHistoryResponse")
        #expect(answer.paginationToken == "57715481-805a-4283-8499-1c19b5d6b20a")
        #expect(answer.hasMore)
        let payloads = answer.notificationHistory.map(\.signedPayload)
        #expect(payloads == ["signed_payload_one", "signed_payload_two"])
    }

    @Test func `errors, whose numbers come through`() throws {
        let unknown = ServerAPIErrorCode(rawValue: 9_990_000)
        let general = ServerAPIErrorCode(rawValue: 5_000_000)
        let invalidID = ServerAPIErrorCode(rawValue: 4_000_006)
        guard case .unavailable(.code(general)) = try error("apiException", status: 500),
            case .failed(.rateLimited) = try error("apiTooManyRequestsException", status: 429),
            case .failed(.rejected(unknown)) = try error("apiUnknownError", status: 400),
            case .unavailable(.code(unknown)) = try error("apiUnknownError", status: 500),
            case .failed(.rejected(invalidID)) = try error(
                "invalidTransactionIdError",
                status: 400
            ),
            case .failed(.notFound(.transactionIdNotFound)) = try error(
                "transactionIdNotFoundError",
                status: 404
            )
        else {
            Issue.record("an error was read as another")
            return
        }
    }
}
