import Contracts
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

    @Test(arguments: [
        "", " ", "<html><body>Service Unavailable</body></html>", "OK", "null", "[]", "[{}]", "\"text\"", "1",
        "{", "{\"signedTransactionInfo\":", "\u{FEFF}{}", "{}}", "\u{0}\u{1}\u{2}",
    ])
    func `with HTTP 200 and without a JSON object is none, and to be asked for again`(body: String) {
        #expect(reading(200, body).unavailability == .noJSON(status: 200))
    }

    @Test func `that is a JSON object of another shape is named malformed, with the field`() {
        let missing = reading(200, "{}").failure
        #expect(missing == .malformedResponse("the field signedTransactionInfo is missing"))
        let number = reading(200, #"{"signedTransactionInfo":1}"#).failure
        #expect(number == .malformedResponse("the field signedTransactionInfo is no String"))
        let null = reading(200, #"{"signedTransactionInfo":null}"#).failure
        #expect(null == .malformedResponse("the field signedTransactionInfo is null"))
    }

    private func history(_ member: String) -> ServerAPIResult<GetTransactionHistory.Response> {
        let body =
            #"{"revision":"r","hasMore":true,"bundleId":"b","signedTransactions":["a","b"],\#(member)}"#
        return reading(200, body, as: GetTransactionHistory.Response.self)
    }

    @Test func `keeps a value that nobody knows, and names a field of the wrong type`() throws {
        let answer = try #require(history(#""appAppleId":1,"environment":"Moon""#).answer)
        #expect(answer.environment == Environment(rawValue: "Moon"))
        #expect(answer.hasMore && answer.revision == "r" && answer.signedTransactions == ["a", "b"])
        let text = history(#""appAppleId":"1","environment":"Sandbox""#).failure
        #expect(text == .malformedResponse("the field appAppleId is no Int64"))
    }

    @Test(arguments: [200, 202, 204]) func `may be empty where Apple documents none`(status: Int) {
        #expect(reading(status, "", as: NoResponse.self).answer != nil)
        let answer = reading(status, "<html>", as: NoResponse.self).unavailability
        #expect(answer == .noJSON(status: status))
    }

    @Test(arguments: ["", "Unauthenticated\n\nRequest ID: ABC.0.0", #"{"errorCode":4040010}"#])
    func `with HTTP 401 is about the key, never about the purchase`(body: String) {
        #expect(reading(401, body).failure == .unauthorized)
    }

    @Test(arguments: [
        (nil as String?, 30_000 as Int64), ("", 30_000), ("soon", 30_000), ("-1", 30_000),
        ("1767225612345", 12_345), ("1767225599000", 0), ("1767311999000", 3_600_000), ("120", 120_000),
        ("0", 0), ("9223372036854775807", 3_600_000),
    ])
    func `with HTTP 429 says when to come back, as a Unix time in milliseconds`(
        header: String?,
        pause: Int64
    ) {
        let body = #"{"errorCode":4290000,"errorMessage":"Rate limit exceeded."}"#
        let until = now.advanced(by: pause)
        #expect(reading(429, body, retryAfter: header).failure == .rateLimited(until: until))
    }

    @Test(arguments: [301, 400, 403, 404, 413, 500, 502, 503, 504])
    func `without an error code of Apple's is nobody's word on the purchase`(status: Int) {
        for body in ["", "<html>Not Found</html>", "{}", #"{"errorCode":"4040010"}"#, #"{"error":"x"}"#] {
            #expect(reading(status, body).unavailability == .status(status))
        }
    }

    @Test(arguments: `an error code of the App Store Server API`.rows)
    func `with an error code is that error`(row: `an error code of the App Store Server API`.Row) {
        let status = Int(row.code / 10_000)
        guard status != 429 else { return }
        let code = ServerAPIErrorCode(rawValue: row.code)
        let reading = reading(status, #"{"errorCode":\#(row.code),"errorMessage":"Testing."}"#)
        switch row.kind {
        case .retryable: #expect(reading.unavailability == .code(code))
        case .notFound: #expect(reading.failure == .notFound(code))
        case .permanent: #expect(reading.failure == .rejected(code))
        }
    }
}

extension ServerAPIResult {
    /// What was answered.
    var answer: Response? {
        guard case .response(let answer) = self else { return nil }
        return answer
    }

    /// Why Apple was not available.
    var unavailability: UnavailabilityReason? {
        guard case .unavailable(let reason) = self else { return nil }
        return reason
    }

    /// Why it is an error.
    var failure: AppStoreServerError? {
        guard case .failed(let error) = self else { return nil }
        return error
    }
}
