import Contracts
import Domain

enum RetryAfter {
    /// Ms, if Apple names none.
    static let defaultPause: Int64 = 30_000
    /// A smaller number means seconds from now (RFC 9110 §10.2.3), as a proxy would write.
    private static let leastMoment: Int64 = 1_000_000_000

    /// Apple writes Unix time in milliseconds, not seconds from now.
    static func moment(_ header: String?, now: Timestamp) -> Timestamp {
        guard let number = header.flatMap({ Int64($0) }), number >= 0 else {
            return now.advanced(by: defaultPause)
        }
        let moment = number < leastMoment ? now.milliseconds + number * 1_000 : number
        let latest = now.milliseconds + TokenBucket.longestBlock
        return Timestamp(milliseconds: max(now.milliseconds, min(moment, latest)))
    }
}
