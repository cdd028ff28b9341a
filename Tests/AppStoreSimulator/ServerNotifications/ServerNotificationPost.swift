import HTTPClient

/// Posts over HTTP, and names a failure as Apple does.
enum ServerNotificationPost {
    /// Ms.
    static let timeout: Int64 = 30_000
    static let answerBytes = 64 * 1_024

    static func send(_ url: String, _ body: String) async -> SendAttempt.Result {
        var call = HTTPCall("POST", url, timeout: timeout, body: .wanted(limit: answerBytes))
        call.headers = [("content-type", "application/json")]
        call.content = Array(body.utf8)
        do throws(HTTPFailure) {
            let status = try await HTTPClient.shared.execute(call).status
            return RetrySchedule.success.contains(status) ? .success : .unsuccessfulStatus
        } catch {
            return result(error)
        }
    }

    private static func result(_ failure: HTTPFailure) -> SendAttempt.Result {
        switch failure {
        case .timedOut: .timedOut
        case .closed: .prematureClose
        case .notSecured: .tlsIssue
        case .broken: .socketIssue
        case .cancelled, .notConnected, .tooLarge, .invalid: .noResponse
        }
    }
}
