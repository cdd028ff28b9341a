import Program

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
