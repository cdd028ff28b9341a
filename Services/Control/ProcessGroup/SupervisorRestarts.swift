import Glibc
import Program

extension Supervisor {
    /// Restarts replicas of a program, or all; if the files of the home say something new, all of them, with that.
    ///
    /// - Returns: why nothing is restarted; nil when the restart has begun.
    func restart(_ program: GroupProgram?, with version: String) -> GroupReply? {
        do {
            let snapshot = try ConfigurationSnapshot(of: home)
            guard snapshot.version == version else {
                return GroupReply(problem: "the configuration changed while it was checked; try again")
            }
            if version == configuration.version { return restart(program) }
            guard plan == nil else {
                return GroupReply(problem: "another restart is under way; try again when it is over")
            }
            try begin(GroupConfiguration(snapshot, of: home))
            return nil
        } catch {
            let code = (error as? any ProgramError)?.exitCode
            return GroupReply(problem: "\(error)", code: code)
        }
    }

    private func restart(_ program: GroupProgram?) -> GroupReply? {
        guard formerConfiguration == nil else {
            return GroupReply(problem: "another restart is under way; try again when it is over")
        }
        let names = inRestartOrder(children.keys.filter { program == nil || $0.program == program })
        if plan == nil { plan = RestartPlan(names, now: MonotonicClock.now) } else { plan?.add(names) }
        return nil
    }

    private func begin(_ next: GroupConfiguration) throws {
        guard next.configuration.partitions == configuration.configuration.partitions else {
            let (old, new) = (configuration.configuration.partitions, next.configuration.partitions)
            throw ConfigurationError(
                file: home.configurationFile,
                member: "partitions",
                problem: "is \(new), but the group runs with \(old), and this cannot be changed; write \(old)"
            )
        }
        log.say("all programs change from configuration \(configuration.version) to \(next.version)")
        formerConfiguration = configuration
        configuration = next
        plan = RestartPlan(inRestartOrder(Array(children.keys)), now: MonotonicClock.now)
    }

    /// The gateway comes last, so that it takes no order for what nobody behind it knows yet.
    private func inRestartOrder(_ names: [ReplicaName]) -> [ReplicaName] {
        GroupProgram.allCases.flatMap { program in names.filter { $0.program == program }.sorted() }
    }

    /// Goes on with the restarts that are under way.
    func nextRestart() {
        let standings = children.mapValues(\.standing)
        switch plan?.next(standings, now: MonotonicClock.now) {
        case nil, .wait: break
        case .restart(let name):
            if name.program == .gateway { gatewayURL = nil }
            apply(.restart, to: name)
        case .failed(let name): giveUpRestart(of: name)
        case .done:
            if formerConfiguration != nil {
                log.say("all programs run with configuration \(configuration.version)")
            }
            formerConfiguration = nil
            plan = nil
        }
    }

    /// A change that does not work is taken back: what was restarted with it is restarted with what worked before.
    private func giveUpRestart(of name: ReplicaName) {
        let child = children[name]
        var problem = "\(name) is not well after its restart: \(child?.problem ?? "it does not answer")"
        // What worked before is given to all others, too.
        if plan?.goesOn == true { return log.say(problem) }
        plan = nil
        if let former = formerConfiguration {
            problem += "; the group goes back to configuration \(former.version)"
            configuration = former
            formerConfiguration = nil
            let changed = children.filter { $0.value.configuration != former.version }.map(\.key)
            plan = RestartPlan(inRestartOrder(changed), goesOn: true, now: MonotonicClock.now)
        }
        log.say(problem)
        let code = child?.standing == .refused ? Launch.usageCode : Launch.failureCode
        for (descriptor, connection) in clients where connection.wait == .restarted {
            answer(descriptor, GroupReply(problem: problem, code: code))
        }
    }
}

extension Child {
    /// How it is, for whoever waits for it.
    var standing: RestartPlan.Standing {
        if machine.isWell { return .well }
        return machine.phase == .refused ? .refused : .unwell
    }

    /// Why it does not run, or not again; nil when there is nothing to say.
    var problem: String? {
        guard let lastEnd, !machine.isWell else { return nil }
        return ["\(lastEnd)", lastWords].compactMap(\.self).joined(separator: ": ")
    }
}
