import AppStore
import Contracts

/// The answer of `counterfoil verify` for one proof of payment; one JSON object.
struct VerificationReport: Encodable, Equatable {
    /// The file, where many are asked about.
    var file: String?
    let isValid: Bool
    /// What it is; with a refusal only where its content is shown.
    var kind: String?
    var environment: String?
    /// What it says, as far as it may be shown.
    var payload: JSONValue?
    private(set) var reason: String?
    /// One line for the operator.
    private(set) var detail: String?

    private enum CodingKeys: String, CodingKey {
        case file
        case isValid = "valid"
        case kind, environment, payload, reason, detail
    }

    /// Everything that was asked for holds.
    init(kind: String, environment: Environment?, payload: JSONValue) {
        isValid = true
        self.kind = kind
        self.environment = environment?.rawValue
        self.payload = payload
    }

    /// It was refused.
    ///
    /// What is signed and cannot be read is kept by the services for a newer program; an operator is told what
    /// it is now, malformed.
    init(_ failure: VerificationFailure) {
        let reason = failure.reason == .unreadable ? .malformed : failure.reason
        self.init(reason: reason.rawValue, detail: failure.detail)
    }

    private init(reason: String, detail: String) {
        isValid = false
        self.reason = reason
        self.detail = detail
    }

    /// A receipt of iOS 6, which only Apple can say more about.
    static func unverified(transactionID: String) -> VerificationReport {
        var report = VerificationReport(
            reason: "unverified",
            detail: "its signature proves nothing any more; ask Apple about the transaction"
        )
        report.kind = "transactionReceipt"
        report.payload = .object(["transactionId": .string(transactionID)])
        return report
    }

    /// The same refusal, showing what was refused.
    func showing(kind: String, environment: Environment?, payload: JSONValue?) -> VerificationReport {
        var report = self
        report.kind = kind
        report.environment = environment?.rawValue
        report.payload = payload
        return report
    }
}
