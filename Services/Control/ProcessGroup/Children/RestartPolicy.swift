import Domain
import Glibc
import Program

/// When to restart an ended program: at once, unless it repeatedly ends soon after its start.
///
/// | end | ran for | delay |
/// |---|---|---|
/// | SIGKILL | any time | none: a kill says nothing about the program |
/// | any other | 1 s or longer | none, and earlier short runs are forgotten |
/// | any other | shorter | 100 ms, doubling to 5 s |
///
/// An end with `refusal` causes no restart: see `ReplicaMachine`.
struct RestartPolicy: Equatable {
    /// How a program with a wrong command line or configuration ends.
    static let refusal = ProcessEnd.exited(Launch.usageCode)
    /// Shorter runs count as failed starts, ms.
    static let shortRun: Int64 = 1_000
    private static let backoff = Backoff(first: 100, longest: 5_000, jitter: 0)

    private(set) var shortRuns = 0

    /// The delay before the next start, ms.
    mutating func delay(after end: ProcessEnd, ranFor duration: Int64) -> Int64 {
        if end == .signaled(SIGKILL) { return 0 }
        guard duration < Self.shortRun else {
            shortRuns = 0
            return 0
        }
        shortRuns += 1
        return Self.backoff.pause(after: shortRuns, random: 0)
    }
}
