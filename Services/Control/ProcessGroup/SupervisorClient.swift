import Foundation
import Glibc
import Program

/// Asks the running `counterfoil up` of a home.
struct SupervisorClient {
    /// How long `up` may take to answer at once, in milliseconds.
    static let patience: Int64 = 5_000
    /// Time between two reports of what is waited for, in milliseconds.
    private static let reportInterval: Int64 = 1_000

    let home: Home

    /// What `up` answers at once; nil when none is running.
    func ask(_ request: SupervisorRequest) throws -> SupervisorReply? {
        try ask(request, until: MonotonicClock.now + Self.patience) {}
    }

    /// What `up` answers when it has carried out a request; nil when none is running.
    ///
    /// What is waited for is reported on standard error whenever that changes.
    func ask(
        _ request: SupervisorRequest,
        for what: String,
        within milliseconds: Int64
    ) throws -> SupervisorReply? {
        var progress = GroupProgress()
        do {
            return try ask(request, until: MonotonicClock.now + milliseconds) {
                guard let status = try ask(.status), let line = progress.line(of: status) else { return }
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
    }

    private func ask(
        _ request: SupervisorRequest,
        until end: Int64,
        meanwhile: () throws -> Void
    ) throws -> SupervisorReply? {
        guard let descriptor = try UnixSocket.connect(to: home.upSocket, within: Self.patience) else {
            return nil
        }
        let connection = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        let bytes = [UInt8](try JSONEncoder().encode(request)) + [UInt8(ascii: "\n")]
        guard send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { return nil }
        let pause = { min(Self.reportInterval, end - MonotonicClock.now) }
        while !Descriptors.isReadable(descriptor, within: pause()) {
            guard MonotonicClock.now < end else {
                let problem = "`counterfoil up` in \(home.root) does not answer; is it stopped, or very busy?"
                throw CommandFailure(description: problem, isSilence: true)
            }
            try meanwhile()
        }
        let answer = try connection.readToEnd() ?? Data()
        return answer.isEmpty
            ? SupervisorReply() : try JSONDecoder().decode(SupervisorReply.self, from: answer)
    }
}

/// The `counterfoil up` of a home, for commands that cannot do without it.
struct RunningGroup {
    private let home: Home
    private let systemd: String

    /// `systemd` is what to do where systemd runs the services.
    init(_ home: Home, systemd: String) {
        self.home = home
        self.systemd = systemd
    }

    /// Which replicas run.
    func status() throws -> SupervisorReply {
        guard let reply = try SupervisorClient(home: home).ask(.status) else {
            throw CommandFailure.notRunning(home, systemd: systemd)
        }
        return reply
    }

    /// Waits until `up` has carried out a request.
    func carryOut(
        _ request: SupervisorRequest,
        _ what: String,
        _ deadline: DeadlineOption
    ) throws -> SupervisorReply {
        let client = SupervisorClient(home: home)
        guard let reply = try client.ask(request, for: what, within: deadline.milliseconds) else {
            throw CommandFailure.notRunning(home, systemd: systemd)
        }
        if let problem = reply.problem {
            throw CommandFailure(description: problem, exitCode: reply.code ?? Launch.failureCode)
        }
        return reply
    }
}

/// Reports what a group waits for, each thing once.
struct GroupProgress {
    /// What is waited for when every program is well; nil: nothing is reported then.
    var otherwise: String?
    private(set) var last: String?

    /// What is waited for, if that has changed since the last call.
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
