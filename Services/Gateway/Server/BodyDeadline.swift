import NIOCore
import NIOHTTP1

struct BodyDeadline {
    /// Time for any body, s.
    static let seconds: Int64 = 10
    /// Announced bytes that give a further second.
    static let bytesPerSecond = 65_536
    /// Time at any rate, s.
    static let slowSeconds: Int64 = 3
    /// Average bytes per second required after `slowSeconds`.
    static let minimumRate: Int64 = 4_096

    let time: TimeAmount
    private let begin: NIODeadline
    private var bytes: Int64 = 0

    /// The deadline of a body that begins now; nil when the request announces none.
    init?(_ headers: HTTPHeaders, begin: NIODeadline) {
        let announced = headers.first(name: "content-length").flatMap { Int($0) } ?? 0
        guard announced > 0 || headers.contains(name: "transfer-encoding") else { return nil }
        time = Self.allowance(announced: announced)
        self.begin = begin
    }

    static func allowance(announced bytes: Int) -> TimeAmount {
        let bytes = min(max(0, bytes), BodyLimit.receipt.rawValue)
        return .seconds(seconds + Int64(bytes / bytesPerSecond))
    }

    /// Counts received bytes; whether they come fast enough.
    mutating func isInTime(_ count: Int, now: NIODeadline) -> Bool {
        bytes += Int64(count)
        let late = now - begin - .seconds(Self.slowSeconds)
        return late <= .zero || bytes >= late.nanoseconds / 1_000_000 * Self.minimumRate / 1_000
    }
}
