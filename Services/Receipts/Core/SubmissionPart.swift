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
}

extension SubmissionPart: DirectlyCoded {
    init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        accepted = try json.member("accepted", value?.accepted)
        verified = try json.member("verified", value?.verified)
        try json.close()
    }
}

extension [TransactionVerifiedV1] {
    /// The parts of transactions of which no phone hears by themselves.
    func parts(of size: Int) -> [SubmissionPart] {
        stride(from: 0, to: count, by: size).map { start in
            SubmissionPart(verified: Array(self[start..<Swift.min(start + size, count)]))
        }
    }
}
