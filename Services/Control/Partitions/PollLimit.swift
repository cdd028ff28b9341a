/// Decides when to stop polling claims.
///
/// Submitted transactions travel over links and count once their claim has them. Parked ones, such as those of
/// a refused sandbox, never arrive.
struct PollLimit: Equatable {
    /// 30 s of polls.
    static let maximumPolls = 120
    /// Polls without a change before giving up: 3 s.
    static let maximumStillPolls = 12
    static let pause = Duration.milliseconds(250)

    private var polls = 0
    private var stillPolls = 0
    private var underWay: Int?

    /// Counts a poll; returns whether it was the last.
    ///
    /// `proposed` claims wait for Orders; `underWay` transactions were submitted and are not known yet.
    mutating func isReached(proposed: Int, underWay: Int) -> Bool {
        polls += 1
        stillPolls = underWay == self.underWay ? stillPolls + 1 : 0
        self.underWay = underWay
        if polls >= Self.maximumPolls { return true }
        return proposed == 0 && (underWay == 0 || stillPolls >= Self.maximumStillPolls)
    }
}
