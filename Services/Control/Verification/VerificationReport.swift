import AppStore
import Contracts

/// The result of `counterfoil verify` for one proof of payment; one JSON object.
struct VerificationReport: Encodable, Equatable {
    var file: String?
    var isValid = false
    /// After a refusal, kind, environment and payload are present only when the content is shown.
    var kind: String?
    var environment: String?
    var payload: JSONValue?
    var reason: String?
    var detail: String?

    private enum CodingKeys: String, CodingKey {
        case file
        case isValid = "valid"
        case kind, environment, payload, reason, detail
    }
}

extension VerificationReport {
    /// The services park signed, unreadable data for a newer program; for an operator it is malformed.
    init(_ failure: VerificationFailure) {
        let reason = failure.reason == .unreadable ? .malformed : failure.reason
        self.init(reason: reason.rawValue, detail: failure.detail)
    }
}
