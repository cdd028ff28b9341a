import NIOCore
import NIOHTTP1

/// How long the body of a request may take, and how slowly it may come.
struct BodyDeadline {
    /// How long any body may take, in seconds.
    static let seconds: Int64 = 10
    /// How many announced bytes give a further second.
    static let bytesPerSecond = 65_536
    /// How long a body may come at any rate, in seconds.
    static let slowSeconds: Int64 = 3
    /// Bytes per second that must have come on average from then on.
    static let minimumRate: Int64 = 4_096

    /// How long the body may take as a whole.
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

    /// How long a body of so many bytes may take.
    static func allowance(announced bytes: Int) -> TimeAmount {
        let bytes = min(max(0, bytes), BodyLimit.receipt.rawValue)
        return .seconds(seconds + Int64(bytes / bytesPerSecond))
    }

    /// Counts bytes that have come; whether they come fast enough.
    mutating func isInTime(_ count: Int, now: NIODeadline) -> Bool {
        bytes += Int64(count)
        let late = now - begin - .seconds(Self.slowSeconds)
        return late <= .zero || bytes >= late.nanoseconds / 1_000_000 * Self.minimumRate / 1_000
    }
}
