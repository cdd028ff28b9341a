import Contracts

/// One attempt to deliver a notification, as Get Notification History tells of it.
struct SendAttempt: Codable, Sendable {
    /// Apple's `sendAttemptResult`; those that can come about here.
    enum Result: String, Codable, Sendable {
        case success = "SUCCESS"
        case timedOut = "TIMED_OUT"
        case tlsIssue = "TLS_ISSUE"
        case noResponse = "NO_RESPONSE"
        case socketIssue = "SOCKET_ISSUE"
        case prematureClose = "PREMATURE_CLOSE"
        case unsuccessfulStatus = "UNSUCCESSFUL_HTTP_RESPONSE_CODE"
    }

    let attemptDate: Timestamp
    let sendAttemptResult: Result
}
