import Glibc
import Program

extension Supervisor {
    /// Restarts a program's replicas, or all; if the home's files changed, all with the new ones.
    ///
    /// - Throws: why nothing is restarted.
    func beginRestart(_ program: GroupProgram?, with version: String) throws {
        let read = try ConfigurationSnapshot(of: home)
        guard read.version == version else {
            throw CommandFailure(description: "the configuration changed while it was checked; try again")
        }
        let isChanged = version != snapshot.version
        guard formerSnapshot == nil, restart == nil || !isChanged else {
            throw CommandFailure(description: "another restart is under way; try again when it is over")
        }
        if isChanged { try change(to: SnapshotFile(read, of: home)) }
        let names = children.keys.filter { isChanged || program == nil || $0.program == program }
        if restart == nil { restart = RollingRestart([], now: MonotonicClock.now) }
        restart?.add(inRestartOrder(names))
    }

    private func change(to next: SnapshotFile) throws {
        let (old, new) = (snapshot.configuration.partitions, next.configuration.partitions)
        guard new == old else {
            let problem =
                "is \(new), but the group runs with \(old), and this cannot be changed; write \(old)"
            throw ConfigurationError(file: home.configurationFile, member: "partitions", problem: problem)
        }
        log.report("all programs change from configuration \(snapshot.version) to \(next.version)")
        formerSnapshot = snapshot
        snapshot = next
    }

    /// The gateway comes last, so that it accepts no order for a product still unknown to the services.
    private func inRestartOrder(_ names: [ReplicaName]) -> [ReplicaName] {
        GroupProgram.allCases.flatMap { program in names.filter { $0.program == program }.sorted() }
    }

    func continueRestart() {
        switch restart?.next(children.mapValues(\.health), now: MonotonicClock.now) {
        case nil, .wait: break
        case .restart(let name):
            if name.program == .gateway { gatewayURL = nil }
            apply(.restart, to: name)
        case .failed(let name): giveUpRestart(of: name)
        case .done:
            if formerSnapshot != nil { log.report("all programs run with configuration \(snapshot.version)") }
            formerSnapshot = nil
            restart = nil
        }
    }

    /// Rolls back a failing change: replicas restarted with it get the former configuration again.
    private func giveUpRestart(of name: ReplicaName) {
        let child = children[name]
        var problem = "\(name) is not well after its restart: \(child?.problem ?? "it does not answer")"
        // A rollback continues, so that all others get the former configuration, too.
        if restart?.goesOn == true { return log.report(problem) }
        restart = nil
        if let former = formerSnapshot {
            problem += "; the group goes back to configuration \(former.version)"
            snapshot = former
            formerSnapshot = nil
            let changed = children.filter { $0.value.configuration != former.version }.map(\.key)
            restart = RollingRestart(inRestartOrder(changed), goesOn: true, now: MonotonicClock.now)
        }
        log.report(problem)
        let code = child?.health == .refused ? Launch.usageCode : Launch.failureCode
        for client in clients {
            if case .restart = client.request { refuse(client, problem, code: code) }
        }
    }
}
