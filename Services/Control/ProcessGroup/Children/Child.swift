import Glibc

final class Child {
    /// Descriptor numbers in every child.
    static let heartbeatDescriptor: Int32 = 3
    static let configurationDescriptor: Int32 = 4

    struct Process {
        let pid: pid_t
        /// Nil once the child closed its end of the socket: it has ended or is about to.
        var heartbeat: Descriptor?
        /// Nil once it has ended.
        var log: Descriptor?
    }

    var machine: ReplicaMachine
    var process: Process?
    var lines = LineSplitter()
    var starts = 0
    /// The configuration version of its last start.
    var configuration: String?
    /// The running process's last line of output.
    var lastLine: String?
    /// The last process's end and its last line of output.
    var lastEnd: (end: ProcessEnd, line: String?)?

    var hasDisconnected: Bool { process != nil && process?.heartbeat == nil }

    init() { machine = ReplicaMachine(now: MonotonicClock.now) }

    var health: RollingRestart.Health {
        if machine.isWell { return .well }
        return machine.phase == .refused ? .refused : .unwell
    }

    /// Why it does not run or will not restart.
    var problem: String? {
        guard let lastEnd, !machine.isWell else { return nil }
        return ["\(lastEnd.end)", lastEnd.line].compactMap(\.self).joined(separator: ": ")
    }
}
