/// Something that goes wrong on purpose, at the paths that begin with `path`.
struct Fault: Codable, Sendable {
    enum Kind: String, Codable, KnownName, Sendable {
        /// The answer comes `milliseconds` later.
        case delay
        /// Nothing but the HTTP status `status`, with `body` if given.
        case status
        /// verifyReceipt's own `status` (21005, 21100 …), with `is-retryable` if given.
        case receiptStatus
        /// An App Store Server API error: `status`, `errorCode`, `errorMessage`.
        case apiError
        case html
        case empty
        case truncated
        /// The connection is reset before an answer.
        case reset
        /// The right answer, `bytes` at a time, with `milliseconds` in between.
        case trickle
        /// What is signed in the answer is signed by a stranger's key.
        case wrongSignature
        /// What is signed in the answer is signed under a certificate that has expired.
        case expiredCertificate
        /// More than `perSecond` requests in a second (0 if absent) are told to come back: HTTP 429 with
        /// Apple's `Retry-After`, a moment in milliseconds since 1970.
        case rateLimit
    }

    let path: String
    let kind: Kind
    /// `GET`, `POST`, …; absent for all.
    var method: String?
    /// How many requests it strikes; absent for any number.
    var count: Int?
    /// How long it lasts; absent for ever.
    var seconds: Double?
    /// Between 0 and 1; absent for certain.
    var probability: Double?

    var milliseconds: Int64?
    var bytes: Int?
    var status: Int?
    var body: String?
    var errorCode: Int?
    var errorMessage: String?
    var isRetryable: Bool?
    var perSecond: Int?

    /// Names the first member that cannot be.
    var flaw: String? {
        let rules = [
            (path.hasPrefix("/"), "path does not begin with /"),
            (count ?? 1 >= 1, "count is less than 1"),
            (seconds ?? 1 > 0, "seconds is not more than 0"),
            ((0...1).contains(probability ?? 1), "probability is not between 0 and 1"),
            ((0...3_600_000).contains(milliseconds ?? 0), "milliseconds is not between 0 and 3600000"),
            (bytes ?? 1 >= 1, "bytes is less than 1"),
            (perSecond ?? 0 >= 0, "perSecond is less than 0"),
            (kind != .delay || milliseconds != nil, "milliseconds is missing"),
            (kind != .status || (200...599).contains(status ?? 0), "status is not between 200 and 599"),
            (kind != .apiError || (400...599).contains(status ?? 500), "status is not between 400 and 599"),
            (
                kind != .receiptStatus || (0...99_999).contains(status ?? -1),
                "status is not one of verifyReceipt's"
            ),
        ]
        return rules.first { isRight, _ in !isRight }?.1
    }
}
