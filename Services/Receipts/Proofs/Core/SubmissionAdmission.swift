import Contracts

/// What is done with a submission that was read; the first row that fits counts.
///
/// Tested by: `SubmissionAdmissionTests`.
///
/// | the submission                                                    | what is done               |
/// |-------------------------------------------------------------------|----------------------------|
/// | is new beside a claim, and not verified as its one transaction    | `askBuyersPartition`       |
/// | is long and goes to its claims anew, and too many long ones wait  | `refuse`: `tooManyParts`   |
/// | is a stored one that says nothing new                             | `store`                    |
/// | has space (`SubmissionQuota`)                                     | `store`                    |
/// | has space if invalid ones are deleted                             | `store`, deleting them     |
/// | has no space, and others hold its purchases                       | `forward`                  |
/// | has no space, and Apple is asked about it                         | `refuse`: `tooManyAsking`  |
/// | has no space                                                      | `refuse`: `tooManyStored`  |
enum SubmissionAdmission: Equatable, Sendable {
    /// Nothing is stored beside the claim; the buyer's partition limits how much of one buyer waits.
    case askBuyersPartition
    /// It is stored, once so many invalid ones are deleted, oldest first.
    case store(deleting: SubmissionQuota.Usage?)
    /// Its transactions go to their claims, and it is not stored.
    case forward
    case refuse(Refusal)

    enum Refusal: Equatable, Sendable {
        case tooManyParts, tooManyAsking, tooManyStored
    }

    /// Decides about `assessment`; what is in the store is read only if needed.
    ///
    /// `claim` is the chain that the submission names, if it was never stored before. `isSentAnew` says of a long one
    /// whether it must go to its claims again, and `isNew` whether its contents were not acted upon before: a better
    /// text of a stored proof counts like a new proof.
    init(
        _ assessment: SubmissionAssessment,
        beside claim: TransactionID?,
        isNew: Bool,
        isSentAnew: Bool,
        waitingParts: () throws -> Int,
        quota: () throws -> SubmissionQuota.Admission
    ) rethrows {
        if let claim, !assessment.isVerified(as: claim) {
            self = .askBuyersPartition
        } else if isSentAnew, try waitingParts() >= SubmissionPart.maximumWaiting {
            self = .refuse(.tooManyParts)
        } else {
            switch isNew ? try quota() : .store {
            case .store: self = .store(deleting: nil)
            case .replaceInvalid(let usage): self = .store(deleting: usage)
            case .forwardOnly: self = .forward
            case .refuse: self = .refuse(assessment.state == .asking ? .tooManyAsking : .tooManyStored)
            }
        }
    }
}
