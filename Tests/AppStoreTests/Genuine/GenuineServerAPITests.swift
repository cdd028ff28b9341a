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
        try #require(try reading(name, status: 200, as: Request.Response.self).answer)
    }

    private func reading<Answer: Decodable & Sendable>(
        _ name: String,
        status: Int,
        as answer: Answer.Type = GetTransactionInfo.Response.self
    ) throws -> ServerAPIResult<Answer> {
        let body = Array(try Vectors.model(name))
        return ServerAPIResult(AppleHTTPResponse(status: status, body: body), now: .newYear2026)
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
        let name = "transactionHistoryResponseWithMalformedAppAppleId"
        let history = try reading(name, status: 200, as: GetTransactionHistory.Response.self)
        #expect(history.failure == .malformedResponse("the field appAppleId is no Int64"))
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
        #expect(try reading("apiException", status: 500).unavailability == .code(general))
        let limit = try reading("apiTooManyRequestsException", status: 429).failure
        #expect(limit == .rateLimited(until: Timestamp.newYear2026.advanced(by: 30_000)))
        #expect(try reading("apiUnknownError", status: 400).failure == .rejected(unknown))
        #expect(try reading("apiUnknownError", status: 500).unavailability == .code(unknown))
        #expect(try reading("invalidTransactionIdError", status: 400).failure == .rejected(invalidID))
        let notFound = try reading("transactionIdNotFoundError", status: 404).failure
        #expect(notFound == .notFound(.transactionIdNotFound))
    }
}
