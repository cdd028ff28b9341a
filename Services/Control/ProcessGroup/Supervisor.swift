import Glibc
import Program

/// Runs the programs of a group: one thread, one loop over `poll`, no clock but the monotonic one.
///
/// If this process dies, every child reads the end of its leash and ends politely. If a child dies, its end
/// of the
/// leash closes, and it is started again in the same turn of the loop.
final class Supervisor {
    /// The order of ending: a wave begins when the one before is over.
    static let endingWaves: [[GroupProgram]] = [
        [.gateway], [.orders, .receipts, .entitlements, .notifications],
    ]

    let home: Home
    let launcher: ChildLauncher
    let log: LogRelay
    var children: [ReplicaName: Child] = [:]
    var clients: [Int32: GroupConnection] = [:]
    /// What programs are told that are started from now on.
    var configuration: GroupConfiguration
    /// The restart that is under way.
    var plan: RestartPlan?
    /// What programs were told before, while a restart changes that.
    var formerConfiguration: GroupConfiguration?
    var gatewayURL: String?
    /// Why the group ends without having begun.
    private var failure: CommandFailure?
    private var hasBeenReady = false
    private let signals: Int32
    private let listener: Int32
    private var endingWave: Int?
    private var nextProbe: Int64 = 0

    init(
        home: Home,
        launcher: ChildLauncher,
        configuration: GroupConfiguration,
        replicas: Int
    ) throws {
        self.home = home
        self.launcher = launcher
        self.configuration = configuration
        log = LogRelay(home: home)
        signals = try SignalPipe.open()
        listener = try UnixSocket.listen(at: home.upSocket)
        for program in GroupProgram.allCases {
            for number in 0..<(program.service == nil ? 1 : replicas) {
                children[ReplicaName(program: program, number: number)] = Child(now: MonotonicClock.now)
            }
        }
    }

    /// Runs until every child has ended because that was asked for.
    ///
    /// - Throws: `CommandFailure` when a program refused its configuration before the group was ready for the first
    ///   time: then nothing of it is left running.
    func run() throws {
        try tick()
        while !(endingWave != nil && children.isEmpty) {
            try turn()
        }
        unlink(home.upSocket)
        if let failure { throw failure }
    }

    var isEnding: Bool { endingWave != nil }

    /// Begins to end the group; asked again, it changes nothing.
    func end() {
        guard endingWave == nil else { return }
        log.say("the group ends")
        endingWave = 0
        plan = nil
    }

    /// Takes note of a program that will not be started again.
    func refuse(_ name: ReplicaName) {
        let problem = "\(name) \(children[name]?.problem ?? "refused its configuration")"
        if hasBeenReady {
            log.say(
                "\(problem); it is not started again: correct that, then `counterfoil restart \(name.program)`"
            )
        } else if !isEnding {
            failure = CommandFailure(description: problem, exitCode: Launch.usageCode)
            end()
        }
    }

    // MARK: The loop

    private func turn() throws {
        var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        poll(&polled, nfds_t(polled.count), patience)
        for entry in polled where entry.revents != 0 { try handle(entry.fd) }
        try tick()
    }

    private var descriptors: [Int32] {
        var descriptors = [signals, listener] + clients.keys
        for process in children.values.compactMap(\.process) {
            if !process.hasLetGo { descriptors.append(process.leash) }
            if !process.logHasEnded { descriptors.append(process.log) }
        }
        return descriptors
    }

    /// How long nothing needs to be done, in milliseconds.
    private var patience: Int32 {
        if children.values.contains(where: { $0.process?.hasLetGo == true }) { return 2 }
        var next = children.values.compactMap(\.machine.nextTick).min() ?? .max
        if gatewayURL == nil { next = min(next, nextProbe) }
        if plan != nil { next = min(next, MonotonicClock.now + HeartbeatWatch.interval) }
        return Int32(clamping: max(0, min(next - MonotonicClock.now, 60_000)))
    }

    private func handle(_ descriptor: Int32) throws {
        if descriptor == signals { return takeSignals() }
        if descriptor == listener { return try acceptClients() }
        if clients[descriptor] != nil { return read(from: descriptor) }
        for (name, child) in children {
            if child.process?.leash == descriptor { return readLeash(of: name) }
            if child.process?.log == descriptor { return readLog(of: name) }
        }
    }

    private func takeSignals() {
        var buffer = [UInt8](repeating: 0, count: 16)
        if let numbers = Descriptors.readAvailable(signals, into: &buffer), !numbers.isEmpty { end() }
    }

    private func acceptClients() throws {
        while let descriptor = try UnixSocket.accept(from: listener) {
            clients[descriptor] = GroupConnection()
        }
    }

    private func tick() throws {
        reap()
        if let wave = endingWave { stop(wave) }
        nextRestart()
        for name in children.keys.sorted() { try step(name, .tick) }
        try probeGateway()
        answerClients()
    }

    private func stop(_ wave: Int) {
        let names = children.keys.filter { Self.endingWaves[wave].contains($0.program) }
        for name in names { apply(.stop, to: name) }
        let isOver = names.allSatisfy { children[$0]?.machine.phase == .over }
        for name in names where children[name]?.machine.phase == .over { children[name] = nil }
        guard isOver, wave + 1 < Self.endingWaves.count else { return }
        endingWave = wave + 1
        stop(wave + 1)
    }

    private func probeGateway() throws {
        guard gatewayURL == nil, !isEnding, MonotonicClock.now >= nextProbe else { return }
        nextProbe = MonotonicClock.now + ReadinessProbe.interval
        let isRunning = children.contains { $0.key.program == .gateway && $0.value.machine.isWell }
        guard isRunning, let address = GatewayAddressFile(path: home.gatewayAddressFile).read(),
            try ReadinessProbe(address: address).isReady()
        else { return }
        gatewayURL = "http://\(address)"
        hasBeenReady = true
        log.announce("gateway ready at http://\(address)")
    }
}
