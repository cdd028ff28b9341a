import Glibc

extension Supervisor {
    func step(_ name: ReplicaName, _ event: ReplicaMachine.Event) throws {
        guard let child = children[name] else { return }
        for directive in child.machine.step(event, now: MonotonicClock.now) {
            if directive == .start { try start(name, child) } else { signal(name, child, directive) }
        }
    }

    /// As `step`, for events that start nothing.
    func apply(_ event: ReplicaMachine.Event, to name: ReplicaName) {
        guard let child = children[name] else { return }
        for directive in child.machine.step(event, now: MonotonicClock.now) { signal(name, child, directive) }
    }

    func removeOver() { children = children.filter { $0.value.machine.phase != .over } }

    private func signal(_ name: ReplicaName, _ child: Child, _ directive: ReplicaMachine.Directive) {
        guard let process = child.process else { return }
        switch directive {
        case .start: break
        case .beat:
            var byte: UInt8 = 1
            send(process.heartbeat, &byte, 1, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
        case .terminate: kill(process.pid, SIGTERM)
        case .kill(let reason):
            log.report("\(name) (pid \(process.pid)) \(reason) and is killed")
            kill(process.pid, SIGKILL)
        }
    }

    private func start(_ name: ReplicaName, _ child: Child) throws {
        child.starts += 1
        child.configuration = snapshot.version
        do {
            let process = try launcher.start(name, snapshot, isFirst: child.starts == 1)
            child.process = process
            apply(.begun, to: name)
            try step(name, .tick)
            log.report("\(name) started, pid \(process.pid)")
        } catch let failure as ProcessStartFailure {
            let end = ProcessEnd.neverBegan(failure.code)
            log.report("\(name) \(end)")
            child.lastEnd = (end, nil)
            apply(.ended(end), to: name)
        }
    }

    // MARK: What children write

    func readHeartbeat(of name: ReplicaName, _ child: Child) {
        guard let process = child.process else { return }
        var buffer = [UInt8](repeating: 0, count: 64)
        switch Descriptors.readAvailable(process.heartbeat, into: &buffer) {
        case nil: child.process?.hasDisconnected = true
        case let answers?: if !answers.isEmpty { apply(.answered, to: name) }
        }
    }

    func readLog(of name: ReplicaName, _ child: Child) {
        guard let process = child.process else { return }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let bytes = Descriptors.readAvailable(process.log, into: &buffer)
        let lines = bytes.map { child.lines.add($0) } ?? child.lines.finish()
        for line in lines { log.relay(line, from: name) }
        child.lastLine = lines.last ?? child.lastLine
        if bytes == nil { child.process?.logHasEnded = true }
    }

    // MARK: Ends

    /// Handles ended children: their sockets close at once, without a signal.
    func reap() {
        for (name, child) in children {
            guard let process = child.process, process.hasDisconnected,
                let end = ProcessEnd.reap(process.pid)
            else { continue }
            while child.process?.logHasEnded == false, Descriptors.isReadable(process.log, within: 0) {
                readLog(of: name, child)
            }
            close(process.heartbeat)
            close(process.log)
            child.process = nil
            child.lastEnd = (end, child.lastLine)
            child.lastLine = nil
            apply(.ended(end), to: name)
            log.report("\(name) (pid \(process.pid)) \(end)")
            if child.machine.phase == .refused { refuse(name) }
        }
        removeOver()
    }
}
