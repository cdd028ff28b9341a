import Contracts
import Domain

/// What an operator has done to amounts on a day.
///
/// Tested by: `CompensationTableTests`, `OperatorCountTests`.
///
/// | the act was counted, on any day | fewer than the limit | else                   |
/// |---------------------------------|----------------------|------------------------|
/// | yes                             | again                | again                  |
/// | no                              | counted              | refused: `dailyLimit`  |
///
/// What was not done is returned by the attempt that has counted it, unless another one has asked since: that one may
/// be doing it.
enum OperatorDay {
    private static let milliseconds: Int64 = 24 * 60 * 60 * 1_000

    /// How many days before and after this one are remembered: longer than a proposal can be confirmed.
    static let kept = Approval.validMilliseconds / milliseconds + 1

    /// Days since 1970, UTC.
    static func day(of time: Timestamp) -> Int64 { time.milliseconds / milliseconds }

    /// The count after an act; `counted` are those before it.
    static func count(_ counted: Int, isRepeated: Bool, limit: Int) throws(RequestRefusal) -> Int {
        if isRepeated { return counted }
        guard counted < limit else { throw .dailyLimit(limit) }
        return counted + 1
    }
}

extension RequestRefusal {
    static func dailyLimit(_ limit: Int) -> RequestRefusal {
        RequestRefusal(
            .conflict,
            "An operator may propose and confirm \(limit) of these a day (UTC).",
            reason: "dailyLimit"
        )
    }
}
