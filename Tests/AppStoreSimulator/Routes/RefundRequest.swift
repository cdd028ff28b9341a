/// `POST /_control/refunds`: which transaction Apple pays back, and why.
struct RefundRequest: Decodable {
    let transactionId: String
    /// 1: an issue with the app, 0: another reason.
    let reason: Int?

    /// The reason, if it is one of Apple's.
    func validReason() throws(Problem) -> Int {
        guard let reason else { return 0 }
        guard (0...1).contains(reason) else { throw Problem("reason is neither 0 nor 1") }
        return reason
    }
}
