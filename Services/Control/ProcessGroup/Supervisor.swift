import Delivery
import Glibc
import Program

/// Runs the programs of a group: one thread, one loop over `poll`, only the monotonic clock.
///
/// If this process dies, every child reads the end of its heartbeat socket and ends gracefully. If a child dies,
/// its end of the socket closes, and it is restarted in the same turn of the loop.
final class Supervisor {
    /// A wave begins when the one before is over.
    static let shutdownWaves: [[GroupProgram]] = [
        [.gateway], [.orders, .receipts, .entitlements, .notifications],
    ]
    /// Time between two readiness probes of the gateway, ms.
    private static let probeInterval: Int64 = 200
    /// Time between two looks at the files of lock and socket, ms.
    private static let restoreInterval: Int64 = 1_000

    let home: Home
    let launcher: ChildLauncher
    let log: LogRelay
    var children: [ReplicaName: Child] = [:]
    var clients: [SupervisorConnection] = []
    var snapshot: SnapshotFile
    var restart: RollingRestart?
    /// The former configuration during a restart that changes it.
    var formerSnapshot: SnapshotFile?
    var gatewayURL: String?
    /// Why the group ends before it was ready.
    private var failure: CommandFailure?
    private var hasBeenReady = false
    private let signals: Descriptor
    private let commands: CommandSocket
    private var shutdownWave: Int?
    private var nextProbe: Int64 = 0
    private var nextRestore: Int64 = 0

    init(
        home: Home,
        holding lock: consuming FileLock,
        launcher: ChildLauncher,
        snapshot: SnapshotFile,
        replicas: Int
    ) throws {
        self.home = home
        self.launcher = launcher
        self.snapshot = snapshot
        log = LogRelay(home: home)
        signals = try SignalPipe.open()
        commands = try CommandSocket(home: home, holding: lock)
        for program in GroupProgram.allCases {
            for number in 0..<(program.service == nil ? 1 : replicas) {
                children[ReplicaName(program: program, number: number)] = Child()
            }
        }
    }

    /// Runs until every child has ended on request.
    ///
    /// - Throws: `CommandFailure` for a configuration refused before the group is ready; then no child is left.
    func run() throws {
        defer { commands.close() }
        try tick()
        while !(isEnding && children.isEmpty) {
            let watched = watched
            var polled = watched.map { pollfd(fd: $0.descriptor.number, events: Int16(POLLIN), revents: 0) }
            poll(&polled, nfds_t(polled.count), pollTimeout)
            for (entry, result) in zip(watched, polled) where result.revents != 0 { try entry.handle() }
            try tick()
        }
        if let failure { throw failure }
    }

    var isEnding: Bool { shutdownWave != nil }

    /// Begins to end the group; idempotent.
    func end() {
        guard !isEnding else { return }
        log.report("the group ends")
        shutdownWave = 0
        restart = nil
    }

    func refuse(_ name: ReplicaName) {
        let problem = "\(name) \(children[name]?.problem ?? "refused its configuration")"
        if hasBeenReady {
            let advice = "correct that, then `counterfoil restart \(name.program)`"
            log.report("\(problem); it is not started again: \(advice)")
        } else if !isEnding {
            failure = .usage(problem)
            end()
        }
    }

    // MARK: The loop

    /// What the loop polls, and what to do when it can be read.
    private var watched: [(descriptor: Descriptor, handle: () throws -> Void)] {
        var watched = [(signals, handleSignals), (commands.listener, acceptClients)]
        watched += clients.map { client in (client.descriptor, { self.read(from: client) }) }
        for (name, child) in children {
            if let heartbeat = child.process?.heartbeat {
                watched.append((heartbeat, { self.readHeartbeat(of: name, child, heartbeat) }))
            }
            if let log = child.process?.log {
                watched.append((log, { self.readLog(of: name, child, log) }))
            }
        }
        return watched
    }

    /// Time until the next action, ms.
    private var pollTimeout: Int32 {
        if children.values.contains(where: \.hasDisconnected) { return 2 }
        var next = children.values.compactMap(\.machine.nextTick).min() ?? .max
        if gatewayURL == nil { next = min(next, nextProbe) }
        if restart != nil { next = min(next, MonotonicClock.now + Liveness.interval) }
        if !isEnding { next = min(next, nextRestore) }
        return Int32(clamping: max(0, min(next - MonotonicClock.now, 60_000)))
    }

    private func handleSignals() {
        let received = signals.readAvailable() ?? []
        if received.contains(UInt8(SIGCHLD)) { noteSuspensions() }
        if received.contains(where: { $0 != UInt8(SIGCHLD) }) { end() }
    }

    private func acceptClients() throws {
        while let client = try UnixSocket.accept(from: commands.listener) { clients.append(.init(client)) }
    }

    private func tick() throws {
        reap()
        try restoreCommands()
        if let wave = shutdownWave { stop(wave) }
        continueRestart()
        for name in children.keys.sorted() { apply(.tick, to: name) }
        try probeGateway()
        answerClients()
    }

    private func restoreCommands() throws {
        guard !isEnding, MonotonicClock.now >= nextRestore else { return }
        nextRestore = MonotonicClock.now + Self.restoreInterval
        guard try !commands.restore() else { return }
        log.report("the lock was removed, and another `counterfoil up` has taken \(home.root)")
        end()
    }

    private func stop(_ wave: Int) {
        let names = children.keys.filter { Self.shutdownWaves[wave].contains($0.program) }
        for name in names { apply(.stop, to: name) }
        let isOver = names.allSatisfy { children[$0]?.machine.phase == .over }
        removeOver()
        guard isOver, wave + 1 < Self.shutdownWaves.count else { return }
        shutdownWave = wave + 1
        stop(wave + 1)
    }

    private func probeGateway() throws {
        guard gatewayURL == nil, !isEnding, MonotonicClock.now >= nextProbe else { return }
        nextProbe = MonotonicClock.now + Self.probeInterval
        let isRunning = children.contains { $0.key.program == .gateway && $0.value.machine.isWell }
        guard isRunning, let address = ListenAddress(writtenIn: home.gatewayAddressFile), address.isReady
        else { return }
        gatewayURL = "http://\(address)"
        hasBeenReady = true
        log.announce("gateway ready at http://\(address)")
    }
}
