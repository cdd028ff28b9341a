import Contracts

/// What is sent of some of a submission's transactions in one database transaction.
///
/// A receipt may hold thousands of transactions. The first part is sent in the transaction that stores the submission.
/// Every other one is a row of `submission_part` from that transaction on, and until the one that sends it deletes the
/// row. So a crash between two parts loses none, and sends none twice.
struct SubmissionPart: Codable, Equatable, Sendable {
    /// Most transactions of a part: what follows from them must not outlast the heartbeat.
    static let maximumTransactions = 500
    /// Most parts that wait in a partition; beyond it a submission of several is not taken.
    static let maximumWaiting = 256

    /// For the waiting phone.
    var accepted: [ReceiptAcceptedV1] = []
    /// For the claims.
    var verified: [TransactionVerifiedV1] = []
    /// For the claims of which Apple says nothing more.
    var completed: [EvidenceCompletedV1] = []

    /// What a claim is told.
    enum Statement: Equatable, Sendable {
        case verified(TransactionVerifiedV1)
        case completed(EvidenceCompletedV1)
    }
}

extension SubmissionPart: DirectlyCoded {
    init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        accepted = try json.member("accepted", value?.accepted)
        verified = try json.member("verified", value?.verified)
        completed = try json.member("completed", value?.completed)
        try json.close()
    }
}

extension [SubmissionPart.Statement] {
    /// The parts of statements of which no phone hears by themselves.
    func parts(of size: Int) -> [SubmissionPart] {
        stride(from: 0, to: count, by: size).map { start in
            var part = SubmissionPart()
            for statement in self[start..<Swift.min(start + size, count)] {
                switch statement {
                case .verified(let verified): part.verified.append(verified)
                case .completed(let completed): part.completed.append(completed)
                }
            }
            return part
        }
    }
}
