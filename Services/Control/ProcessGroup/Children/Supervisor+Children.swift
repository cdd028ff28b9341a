import Glibc
import Program

extension Supervisor {
    func apply(_ event: ReplicaMachine.Event, to name: ReplicaName) {
        guard let child = children[name] else { return }
        for directive in child.machine.step(event, now: MonotonicClock.now) {
            carryOut(directive, name, child)
        }
    }

    func removeOver() { children = children.filter { $0.value.machine.phase != .over } }

    private func carryOut(_ directive: ReplicaMachine.Directive, _ name: ReplicaName, _ child: Child) {
        if directive == .start { return start(name, child) }
        guard let process = child.process else { return }
        switch directive {
        case .start: break
        case .beat: process.heartbeat?.sendAtOnce([1])
        case .terminate: kill(process.pid, SIGTERM)
        case .kill(let reason):
            log.report("\(name) (pid \(process.pid)) \(reason) and is killed")
            kill(process.pid, SIGKILL)
        }
    }

    private func start(_ name: ReplicaName, _ child: Child) {
        child.starts += 1
        child.configuration = snapshot.version
        do throws(SystemFault) {
            let process = try launcher.start(name, snapshot, isFirst: child.starts == 1)
            child.process = process
            apply(.begun, to: name)
            apply(.tick, to: name)
            log.report("\(name) started, pid \(process.pid)")
        } catch {
            let end = ProcessEnd.neverBegan(error.code)
            log.report("\(name) \(end)")
            child.lastEnd = (end, nil)
            apply(.ended(end), to: name)
        }
    }

    // MARK: What children write

    func readHeartbeat(of name: ReplicaName, _ child: Child, _ heartbeat: Descriptor) {
        guard let answers = heartbeat.readAvailable() else {
            child.process?.heartbeat = nil
            return
        }
        if !answers.isEmpty { apply(.answered, to: name) }
    }

    func readLog(of name: ReplicaName, _ child: Child, _ output: Descriptor) {
        let bytes = output.readAvailable()
        let lines = bytes.map { child.lines.add($0) } ?? child.lines.finish()
        for line in lines { log.relay(line, from: name) }
        child.lastLine = lines.last ?? child.lastLine
        if bytes == nil { child.process?.log = nil }
    }

    func noteSuspensions() {
        for (name, child) in children {
            guard let pid = child.process?.pid, let isStopped = ProcessEnd.changesSuspension(of: pid) else {
                continue
            }
            apply(isStopped ? .suspended : .resumed, to: name)
        }
    }

    // MARK: Ends

    /// Handles ended children: their sockets close at once, without a signal.
    func reap() {
        for (name, child) in children where child.hasDisconnected {
            guard let pid = child.process?.pid, let end = ProcessEnd.reap(pid) else { continue }
            while let output = child.process?.log, output.isReadable(within: 0) {
                readLog(of: name, child, output)
            }
            child.process = nil
            child.lastEnd = (end, child.lastLine)
            child.lastLine = nil
            apply(.ended(end), to: name)
            log.report("\(name) (pid \(pid)) \(end)")
            if child.machine.phase == .refused { refuse(name) }
        }
        removeOver()
    }
}
