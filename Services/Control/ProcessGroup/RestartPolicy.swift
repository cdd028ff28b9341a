import Glibc
import Program

/// When a program that ended is started again: at once, unless it keeps ending as soon as it begins.
///
/// | end | ran for | delay |
/// |---|---|---|
/// | SIGKILL | any time | none: a kill says nothing about the program |
/// | any other | 1 s or longer | none, and earlier short runs are forgotten |
/// | any other | shorter | 100 ms, doubling to 5 s |
///
/// An end with `refusal` brings no further start at all: see `ReplicaMachine`.
struct RestartPolicy: Equatable {
    /// How a program ends whose command line or configuration is wrong.
    static let refusal = ProcessEnd.exited(Launch.usageCode)
    /// Runs shorter than this count as failed starts, in milliseconds.
    static let shortRun: Int64 = 1_000
    /// The first delay, in milliseconds.
    static let firstDelay: Int64 = 100
    /// The longest delay, in milliseconds.
    static let longestDelay: Int64 = 5_000

    private(set) var shortRuns = 0

    /// Takes note of an end; how many milliseconds to wait before the next start.
    mutating func delay(after end: ProcessEnd, ranFor duration: Int64) -> Int64 {
        if end == .signaled(SIGKILL) { return 0 }
        guard duration < Self.shortRun else {
            shortRuns = 0
            return 0
        }
        shortRuns += 1
        let doublings = min(shortRuns - 1, 10)
        return min(Self.firstDelay << Int64(doublings), Self.longestDelay)
    }
}
