import AppStore
import Contracts

/// What an error of the App Store Server API means for an errand.
struct APIFailure {
    /// How long a question rests after an alarm that an operator must end, in ms.
    static let alarmPause: Int64 = 15_000

    let report: ErrandReport
    /// Until when other calls would fail alike; nil when they may be made.
    let pause: Timestamp?

    init(_ error: AppStoreServerError, now: Timestamp) {
        let alarmed = now.advanced(by: Self.alarmPause)
        switch error {
        case .notFound(let code):
            self.init(ErrandReport(.unknown, trouble: "\(code.rawValue)"))
        case .rejected(let code) where code.isOfTheQuestion:
            self.init(ErrandReport(.unknown, trouble: "\(code.rawValue)"))
        case .rejected(let code):
            self.init(
                ErrandReport(
                    .unauthorized,
                    until: alarmed,
                    trouble: "Apple rejects the call: \(code.rawValue)"
                )
            )
        case .unavailable(let until, let reason):
            self.init(
                ErrandReport(.unavailable, until: until, trouble: reason.summary),
                pause: reason.isOfTheServer ? until : nil
            )
        case .rateLimited(let until):
            self.init(
                ErrandReport(.unavailable, until: until, trouble: "the rate limit is reached"),
                pause: until
            )
        case .unauthorized:
            let trouble = "Apple does not take the key: check issuerId, keyId and privateKey (HTTP 401)"
            self.init(ErrandReport(.unauthorized, until: alarmed, trouble: trouble))
        case .malformedResponse(let detail):
            self.init(
                ErrandReport(
                    .unauthorized,
                    until: alarmed,
                    trouble: "Apple's answer is not understood: \(detail)"
                )
            )
        case .cancelled: self.init(ErrandReport(.unavailable, until: now, trouble: "the program ends"))
        }
    }

    private init(_ report: ErrandReport, pause: Timestamp? = nil) {
        self.report = report
        self.pause = pause
    }
}

extension ServerAPIErrorCode {
    /// Whether Apple says that an id is none of its own (4000006, 4000008), or that it does not know the place of a page
    /// any more (4000005, 4000014, 4000017), or keeps nothing that old (4000012).
    fileprivate var isOfTheQuestion: Bool {
        [4_000_005, 4_000_006, 4_000_008, 4_000_012, 4_000_014, 4_000_017].contains(rawValue)
    }
}

extension UnavailabilityReason {
    /// Whether any other call would have met the same.
    fileprivate var isOfTheServer: Bool {
        switch self {
        case .circuitOpen, .busy: true
        case .noResponse, .status, .noJSON, .code: false
        }
    }

    /// A few words for the operator.
    fileprivate var summary: String {
        switch self {
        case .circuitOpen: "Apple does not answer; calls rest"
        case .busy: "too many calls are under way"
        case .noResponse(let failure): "no answer: \(failure.rawValue)"
        case .status(let status): "HTTP \(status) without Apple's word"
        case .noJSON(let status): "HTTP \(status) without JSON"
        case .code(let code): "Apple asks to try again: \(code.rawValue)"
        }
    }
}
