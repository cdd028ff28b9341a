import Contracts
import Foundation
import Testing

@testable import AppStore

@Suite struct `a response of the App Store Server API` {
    typealias Info = GetTransactionInfo.Response
    let now = Timestamp.newYear2026

    /// What came of reading it, in one word and what belongs to it.
    private func reading<Answer: Decodable & Sendable>(
        _ status: Int,
        _ body: String,
        retryAfter: String? = nil,
        as answer: Answer.Type = Info.self
    ) -> ServerAPIResult<Answer> {
        ServerAPIResult(
            AppleHTTPResponse(status: status, retryAfter: retryAfter, body: Array(body.utf8)),
            now: now
        )
    }

    private func unavailability(
        _ reading: ServerAPIResult<some Decodable & Sendable>
    ) -> UnavailabilityReason? {
        guard case .unavailable(let reason) = reading else { return nil }
        return reason
    }

    private func failure(_ reading: ServerAPIResult<some Decodable & Sendable>) -> AppStoreServerError? {
        guard case .failed(let error) = reading else { return nil }
        return error
    }

    @Test(arguments: [
        "", " ", "<html><body>Service Unavailable</body></html>", "OK", "null", "[]", "[{}]", "\"text\"", "1",
        "{", "{\"signedTransactionInfo\":", "\u{FEFF}{}", "{}}", "\u{0}\u{1}\u{2}",
    ])
    func `with HTTP 200 and without a JSON object is none, and to be asked for again`(body: String) {
        #expect(unavailability(reading(200, body)) == .noJSON(status: 200))
    }

    @Test func `that is a JSON object of another shape is named malformed, with the field`() {
        #expect(
            failure(reading(200, "{}")) == .malformedResponse("the field signedTransactionInfo is missing")
        )
        #expect(
            failure(reading(200, #"{"signedTransactionInfo":1}"#))
                == .malformedResponse("the field signedTransactionInfo is no String")
        )
        #expect(
            failure(reading(200, #"{"signedTransactionInfo":null}"#))
                == .malformedResponse("the field signedTransactionInfo is null")
        )
    }

    @Test(arguments: [200, 202, 204]) func `may be empty where Apple documents none`(status: Int) {
        guard case .response = reading(status, "", as: NoResponse.self) else {
            Issue.record("an empty answer was not taken")
            return
        }
        #expect(
            unavailability(reading(status, "<html>", as: NoResponse.self)) == .noJSON(status: status)
        )
    }

    @Test(arguments: ["", "Unauthenticated\n\nRequest ID: ABC.0.0", #"{"errorCode":4040010}"#])
    func `with HTTP 401 is about the key, never about the purchase`(body: String) {
        #expect(failure(reading(401, body)) == .unauthorized)
    }

    @Test(
        arguments: [
            (nil, 30_000), ("", 30_000), ("soon", 30_000), ("-1", 30_000), ("1767225612345", 12_345),
            ("1767225599000", 0), ("1767311999000", 3_600_000), ("120", 120_000), ("0", 0),
            ("9223372036854775807", 3_600_000),
        ] as [(String?, Int64)]
    )
    func `with HTTP 429 says when to come back, as a Unix time in milliseconds`(
        header: String?,
        pause: Int64
    ) {
        let body = #"{"errorCode":4290000,"errorMessage":"Rate limit exceeded."}"#
        let until = now.advanced(by: pause)
        #expect(failure(reading(429, body, retryAfter: header)) == .rateLimited(until: until))
    }

    @Test(arguments: [301, 400, 403, 404, 413, 500, 502, 503, 504])
    func `without an error code of Apple's is nobody's word on the purchase`(status: Int) {
        for body in ["", "<html>Not Found</html>", "{}", #"{"errorCode":"4040010"}"#, #"{"error":"x"}"#] {
            #expect(unavailability(reading(status, body)) == .status(status))
        }
    }

    @Test(arguments: `an error code of the App Store Server API`.rows)
    func `with an error code is that error`(row: `an error code of the App Store Server API`.Row) {
        let status = Int(row.code / 10_000)
        guard status != 429 else { return }
        let code = ServerAPIErrorCode(rawValue: row.code)
        let reading = reading(status, #"{"errorCode":\#(row.code),"errorMessage":"Testing."}"#)
        switch row.kind {
        case .retryable: #expect(unavailability(reading) == .code(code))
        case .notFound: #expect(failure(reading) == .notFound(code))
        case .permanent: #expect(failure(reading) == .rejected(code))
        }
    }
}

@Suite(.enabled(if: Vectors.areThere, "Apple's vectors are not beside the repository"))
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

    @Test func `refund history`() throws {
        let answer = try answer(to: GetRefundHistory.self, "getRefundHistoryResponse")
        #expect(answer.revision == "revision_output")
        #expect(answer.hasMore)
        #expect(answer.signedTransactions == ["signed_transaction_one", "signed_transaction_two"])
    }

    @Test func `notification history, with results of attempts that are not known here`() throws {
        let answer = try answer(to: GetNotificationHistory.self, "getNotificationHistoryResponse")
        #expect(answer.paginationToken == "57715481-805a-4283-8499-1c19b5d6b20a")
        #expect(answer.hasMore)
        #expect(
            answer.notificationHistory.map(\.signedPayload) == ["signed_payload_one", "signed_payload_two"]
        )
        let attempts = answer.notificationHistory.flatMap { $0.sendAttempts ?? [] }
        #expect(
            attempts.map(\.sendAttemptResult) == ["NO_RESPONSE", "SUCCESS", "CIRCULAR_REDIRECT"]
        )
        #expect(attempts[1].sendAttemptResult == "SUCCESS")
        #expect(attempts[1].attemptDate.milliseconds == 1_698_148_950_000)
    }

    @Test func `an extended renewal date`() throws {
        let answer = try answer(to: ExtendRenewalDate.self, "extendSubscriptionRenewalDateResponse")
        #expect(answer.originalTransactionId == "2312412")
        #expect(answer.webOrderLineItemId == "9993")
        #expect(answer.success)
        #expect(answer.effectiveDate?.milliseconds == 1_698_148_900_000)
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
