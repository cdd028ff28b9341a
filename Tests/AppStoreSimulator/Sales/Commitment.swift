import Contracts

/// A commitment of 12 months that is billed by the month: what Apple signs of it.
enum Commitment {
    /// Apple's `billingPlanType`.
    static let plan = "MONTHLY"
    static let periods: Int64 = 12

    /// `commitmentInfo` of the first period's transaction.
    static func begun(at start: Int64, period: BillingPeriod, price: Int64) -> JSONValue {
        let end = (0..<periods).reduce(start) { end, _ in period.end(from: end) }
        return .object([
            "billingPeriodNumber": .integer(1),
            "totalBillingPeriods": .integer(periods),
            "commitmentExpiresDate": .integer(end),
            "commitmentPrice": .integer(price * periods),
        ])
    }
}

extension SignedTransaction {
    /// Which of its commitment's periods it pays for; nil outside of one.
    var billingPeriodNumber: Int64? {
        guard case .object(let members)? = commitmentInfo,
            case .integer(let number)? = members["billingPeriodNumber"]
        else { return nil }
        return number
    }

    /// `commitmentInfo` of the next period, which begins another commitment after the last one.
    func nextCommitmentInfo(at start: Int64, period: BillingPeriod, price: Int64) -> JSONValue? {
        guard let number = billingPeriodNumber, case .object(var members)? = commitmentInfo else {
            return nil
        }
        guard number < Commitment.periods else {
            return Commitment.begun(at: start, period: period, price: price)
        }
        members["billingPeriodNumber"] = .integer(number + 1)
        return .object(members)
    }
}
