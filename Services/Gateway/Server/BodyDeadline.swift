import NIOCore

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
    /// Whether its length is known.
    let isAnnounced: Bool
    private let begin: NIODeadline
    private var bytes: Int64 = 0

    /// The deadline of a body of so many bytes, nil where the request does not say; nil for none.
    init?(bytes announced: Int?, begin: NIODeadline) {
        guard announced != 0 else { return nil }
        time = Self.allowance(announced: announced ?? 0)
        isAnnounced = announced != nil
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
