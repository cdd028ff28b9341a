import Glibc

extension Supervisor {
    /// Tells a replica's machine what happened and does what it says.
    func step(_ name: ReplicaName, _ event: ReplicaMachine.Event) throws {
        for directive in advance(name, event) {
            if directive == .start { try start(name) } else { signal(name, directive) }
        }
    }

    /// The same for events that start nothing.
    func apply(_ event: ReplicaMachine.Event, to name: ReplicaName) {
        for directive in advance(name, event) { signal(name, directive) }
    }

    private func advance(_ name: ReplicaName, _ event: ReplicaMachine.Event) -> [ReplicaMachine.Directive] {
        children[name]?.machine.step(event, now: MonotonicClock.now) ?? []
    }

    private func signal(_ name: ReplicaName, _ directive: ReplicaMachine.Directive) {
        guard let process = children[name]?.process else { return }
        switch directive {
        case .start: break
        case .beat:
            var byte: UInt8 = 1
            send(process.leash, &byte, 1, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
        case .terminate: kill(process.pid, SIGTERM)
        case .kill(let reason):
            log.say("\(name) (pid \(process.pid)) \(reason) and is killed")
            kill(process.pid, SIGKILL)
        }
    }

    private func start(_ name: ReplicaName) throws {
        let starts = children[name]?.starts ?? 0
        children[name]?.starts = starts + 1
        children[name]?.configuration = configuration.version
        switch try launcher.start(name, configuration, isFirst: starts == 0) {
        case .success(let process):
            children[name]?.process = process
            apply(.begun, to: name)
            try step(name, .tick)
            log.say("\(name) started, pid \(process.pid)")
        case .failure(let failure):
            let end = ProcessEnd.neverBegan(failure.code)
            log.say("\(name) \(end)")
            children[name]?.lastEnd = end
            children[name]?.lastWords = nil
            apply(.ended(end), to: name)
        }
    }

    // MARK: What children say

    func readLeash(of name: ReplicaName) {
        guard let process = children[name]?.process else { return }
        var buffer = [UInt8](repeating: 0, count: 64)
        switch Descriptors.readAvailable(process.leash, into: &buffer) {
        case nil: children[name]?.process?.hasLetGo = true
        case let answers?: if !answers.isEmpty { apply(.answered, to: name) }
        }
    }

    func readLog(of name: ReplicaName) {
        guard let process = children[name]?.process else { return }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let bytes = Descriptors.readAvailable(process.log, into: &buffer)
        let lines = bytes.map { children[name]?.lines.add($0) ?? [] } ?? children[name]?.lines.finish() ?? []
        for line in lines { log.relay(line, from: name) }
        if let line = lines.last { children[name]?.lastLine = line }
        if bytes == nil { children[name]?.process?.logHasEnded = true }
    }

    // MARK: Ends

    /// Takes note of the children that have ended; they are found by their leash, at once, without a signal.
    func reap() {
        for (name, child) in children {
            guard let process = child.process, process.hasLetGo else { continue }
            var status: Int32 = 0
            let ended = waitpid(process.pid, &status, WNOHANG)
            if ended == process.pid { finish(name, process, ProcessEnd(waitStatus: status)) }
        }
    }

    private func finish(_ name: ReplicaName, _ process: Child.Process, _ end: ProcessEnd) {
        while children[name]?.process?.logHasEnded == false, hasMore(process.log) { readLog(of: name) }
        close(process.leash)
        close(process.log)
        children[name]?.process = nil
        children[name]?.lastEnd = end
        let lastLine = children[name]?.lastLine
        children[name]?.lastWords = lastLine
        children[name]?.lastLine = nil
        apply(.ended(end), to: name)
        log.say("\(name) (pid \(process.pid)) \(end)")
        if children[name]?.machine.phase == .refused { refuse(name) }
        if children[name]?.machine.phase == .over { children[name] = nil }
    }

    private func hasMore(_ descriptor: Int32) -> Bool {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, 0) > 0
    }
}
