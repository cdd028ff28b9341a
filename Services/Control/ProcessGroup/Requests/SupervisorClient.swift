import FoundationEssentials
import Glibc
import Program

struct SupervisorClient {
    /// Timeout of an immediate answer, ms.
    static let patience: Int64 = 5_000
    /// Time between two progress reports, ms.
    private static let reportInterval: Int64 = 1_000

    let home: Home

    /// The immediate answer of `up`; nil when none is running.
    func ask(_ request: SupervisorRequest) throws -> SupervisorReply? {
        try ask(request, until: MonotonicClock.now + Self.patience) {}
    }

    /// `meanwhile` is called every second until the answer comes.
    fileprivate func ask(
        _ request: SupervisorRequest,
        until end: Int64,
        meanwhile: () throws -> Void
    ) throws -> SupervisorReply? {
        guard let connection = try UnixSocket.connect(to: home.upSocket) else { return nil }
        let line = [UInt8](try JSONEncoder().encode(request)) + [UInt8(ascii: "\n")]
        guard connection.sendAtOnce(line) else { return nil }
        var answer: [UInt8] = []
        while true {
            if connection.isReadable(within: min(Self.reportInterval, end - MonotonicClock.now)) {
                guard let bytes = connection.readAvailable() else { break }
                answer += bytes
            } else if MonotonicClock.now < end {
                try meanwhile()
            } else {
                let problem = "`counterfoil up` in \(home.root) does not answer; is it stopped, or very busy?"
                throw CommandFailure(description: problem, isSilence: true)
            }
        }
        // `up` ended before it answered: only `down` has what it asked for.
        guard !answer.isEmpty else { return request == .down ? SupervisorReply() : nil }
        return try JSONDecoder().decode(SupervisorReply.self, from: Data(answer))
    }
}

/// The `counterfoil up` of a home, for commands that require it.
struct RunningGroup {
    let home: Home
    /// What to run where systemd runs the services.
    let systemd: String

    func status() throws -> SupervisorReply { try required(SupervisorClient(home: home).ask(.status)) }

    /// The answer after the request is carried out.
    ///
    /// Reports on standard error what is waited for, whenever that changes.
    func carryOut(
        _ request: SupervisorRequest,
        _ what: String,
        within milliseconds: Int64
    ) throws -> SupervisorReply {
        let client = SupervisorClient(home: home)
        var progress = GroupProgress()
        let answer: SupervisorReply?
        do {
            answer = try client.ask(request, until: MonotonicClock.now + milliseconds) {
                guard let status = try client.ask(.status), let line = progress.line(of: status) else {
                    return
                }
                Terminal.warn("waiting for \(line)")
            }
        } catch let failure as CommandFailure where failure.isSilence {
            let rest = progress.last.map { ": still waiting for \($0)" } ?? ""
            throw CommandFailure(
                description:
                    "\(what) is not done after \(milliseconds / 1_000) s\(rest); `counterfoil up` continues, "
                    + "see `counterfoil status` and `counterfoil logs`",
                isSilence: true
            )
        }
        let reply = try required(answer)
        if let problem = reply.problem {
            throw CommandFailure(description: problem, exitCode: reply.code ?? Launch.failureCode)
        }
        return reply
    }

    private func required(_ reply: SupervisorReply?) throws -> SupervisorReply {
        if let reply { return reply }
        let problem = "no `counterfoil up` runs in \(home.root); where systemd runs the services: \(systemd)"
        throw CommandFailure(description: problem, exitCode: CommandFailure.notRunningCode)
    }
}

/// Reports what a group waits for, each thing once.
struct GroupProgress {
    /// What to report when every program is well; nil for nothing.
    var otherwise: String?
    private(set) var last: String?

    /// Nil when unchanged since the last call.
    mutating func line(of status: SupervisorReply) -> String? {
        let unwell = status.replicas.filter { !$0.isWell }.map { replica in
            "\(replica.program.rawValue).\(replica.replica) (\(replica.problem ?? replica.state))"
        }
        let line = unwell.isEmpty ? otherwise : unwell.joined(separator: ", ")
        guard let line, line != last else { return nil }
        last = line
        return line
    }
}
