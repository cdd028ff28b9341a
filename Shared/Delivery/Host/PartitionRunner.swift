import Contracts
import Database
import Glibc
import Logging
import ZeroMQ

/// One owned partition: its lock, its store, its sockets, and the one thread that runs them.
///
/// Taking over: lock → open store → epoch → bind. Leaving: unbind → close store → unlock.
final class PartitionRunner: @unchecked Sendable {  // members belong to its thread or are locked
    private static let batchArrivals = 128
    /// In µs.
    private static let fullDiskPauseMicroseconds: UInt32 = 100_000
    /// How often the owner verifies its lock, its store and its socket.
    private static let fenceMilliseconds: Int64 = 1_000
    /// So much earlier if the thread is awake: then an idle partition needs no wake-up of its own beside the heartbeat.
    private static let fenceSlackMilliseconds: Int64 = 300
    /// The store is not the one in the configuration.
    private static let foreignStoreExitCode: Int32 = 2
    /// A store has failed: the state on disk is unknown until a new process opens it.
    private static let storeFailureExitCode: Int32 = 74

    let address: PartitionAddress
    let inbox = Inbox()
    /// While the partition is owned.
    private var sockets: PollLoop?
    private let host: PartitionHost
    let settings: HostSettings
    private var dealers: [PartitionAddress: Dealer] = [:]
    private var router: SocketID?
    private let coder = WireCoder()
    private var fenceAt: Int64 = 0
    /// Whether the store could not write in the last turn.
    private var mustPause = false
    let beats = Heartbeats()
    /// Whether this end was asked for while the log had not said what became of an entry: it is asked no longer.
    var hasGivenUp = false
    /// Whether the thread has one of the process's turns.
    private var hasTurn = false

    init(_ partition: Int, of host: PartitionHost) {
        address = PartitionAddress(type(of: host.service).name, partition)
        settings = host.settings
        self.host = host
    }

    /// Starts the thread, which releases the partition at its end.
    func start(owning partition: any OwnedPartition) {
        runThread(name: "\(address.service.rawValue).\(address.partition)", stackBytes: 4 << 20) { [self] in
            run(partition)
            host.ended(address.partition)
        }
    }

    private func run(_ partition: any OwnedPartition) {
        settings.crash.reach(.afterLock)
        var isOwner = false
        do {
            let store = try openStore(of: partition)
            let engine = PartitionEngine(
                service: host.service,
                settings: settings.engine(of: address),
                store: store.database
            )
            let first = try engine.takeOver(at: .current())
            settings.crash.reach(.afterEpoch)
            try settings.storeRegister?.add(address)
            try store.file.declareUse()
            let sockets = try bind()
            settings.logger.info(
                "Partition taken",
                metadata: ["partition": "\(address)", "epoch": "\(engine.epoch)"]
            )
            say(first)
            isOwner = true
            var copying = StoreCopying(of: storePath)
            try work(engine, sockets) {
                try self.verify(store)
                copying.turn(engine, store.file)
                return store.owner.map(turn) ?? false
            }
            copying.giveUp()
            say(engine.drain())
            stopSpeaking()
            try engine.leave()
            try store.close()
            settings.crash.reach(.beforeUnlock)
        } catch let mismatch as PartitionIdentity.Mismatch {
            refuse(mismatch)
        } catch let fault as OwnedStore.WithoutLog {
            refuse(fault)
        } catch StoreError.replaced(let what) where !isOwner {
            refuse(what)
        } catch StoreError.taken(let what) {
            // Nothing was told since; the store becomes a copy of what the other one does.
            warn("Another host has the partition", what)
            stopSpeaking()
        } catch  where isLeavingUnheard(error) {
            // Nothing was told that is not in the log: the next owner finds what became of the last entry.
            warn("The partition is left while its log does not answer", "\(error)")
            stopSpeaking()
        } catch let fault as LogFault where !isOwner && fault.mayPass {
            // Nothing was told: who gets an answer takes the partition, and the others of this process go on.
            warn("The partition is not taken, because its log does not answer", "\(fault)")
        } catch let fault as LogFollowerFault {
            switch fault {
            case .foreign: refuse(fault.text)
            case .behind: quarantine(fault.text)
            case .diverged: break
            }
            // The program that is started again takes everything else.
            fail(fault)
        } catch {
            putAsideIfUnfit(error)
            fail(error)
        }
        partition.release()
    }

    private func stopSpeaking() {
        sockets?.close()
        (sockets, router, dealers) = (nil, nil, [:])
        beats.end()
    }

    /// Ends the process because a restart would fail alike: someone must correct files or configuration.
    private func refuse(_ problem: some CustomStringConvertible) -> Never {
        StandardError.write("\(storePath): \(problem)")
        _exit(Self.foreignStoreExitCode)
    }

    /// Ends the process so that it is started again, also when the store has a newer schema: during an upgrade the next
    /// start is of the newer program.
    func fail(_ error: any Error) -> Never {
        settings.logger.critical(
            "The partition failed; the process ends so that another one recovers it from disk",
            metadata: ["partition": "\(address)", "error": "\(error)"]
        )
        _exit(Self.storeFailureExitCode)
    }

    var storePath: String { "\(settings.dataFolder)/\(address.partition).sqlite" }

    private func openStore(of partition: any OwnedPartition) throws -> OwnedStore {
        // Whoever restores holds the lock: it may have begun since this process read its configuration.
        if let mark = settings.restoreMark, mark.isSet { refuse(RestoreMark.problem) }
        let identity = PartitionIdentity(address, of: settings.partitions)
        if let logs = settings.logs, let lapse = partition.lapse {
            // A store that is missing is made from its log.
            return try OwnedStore(
                path: storePath,
                identity: identity,
                of: partition,
                after: lapse,
                // Waiting for the log is no silence: it bounds its waits.
                log: logs.open(address, whileWaiting: { [unowned self] in waitsForLog(isLong: $0) }),
                endpoint: settings.endpoints.announcedEndpoint(of: address),
                process
            )
        }
        if let problem = settings.storeRegister?.problem(with: address, at: storePath) { refuse(problem) }
        return try OwnedStore(path: storePath, identity: identity, of: partition)
    }

    private func bind() throws -> PollLoop {
        let sockets = try PollLoop(in: settings.sockets)
        router = try sockets.bind(
            at: settings.endpoints.boundEndpoint(of: address),
            maximumMessageBytes: WireMessage.maximumRequestBytes,
            deliver: { [unowned self] messages in
                let refused =
                    host.readAhead?.sort(messages, into: inbox)
                    ?? inbox.put(messages.map(Arrival.message)).compactMap(\.message)
                refuse(refused)
            }
        )
        inbox.wakes(by: sockets.wake)
        self.sockets = sockets
        return sockets
    }

    /// Nothing was accepted: requesters may try again, links repeat by themselves.
    private func refuse(_ messages: [Inbound]) {
        let refusal = RequestRefusal(.busy, "too much is waiting; try again")
        send(
            messages.compactMap { message in
                guard let request = coder.request(in: message) else { return nil }
                let reply = WireMessage(WireHeader(reply: .init(id: request.id, refused: refusal)))
                return Outbound(socket: message.socket, peer: message.peer, frames: coder.encode(reply))
            }
        )
    }

    // MARK: The loop

    private func work(
        _ engine: PartitionEngine,
        _ sockets: PollLoop,
        between: () throws -> Bool
    ) throws {
        var isCopying = false
        beats.begin()
        while !inbox.hasStopped {
            inbox.mayReadAhead = !engine.isCautious
            let clock = ClockReading.current()
            let due = min(engine.nextDeadline(at: clock) ?? .max, fenceAt)
            let deadline = engine.isCopying || isCopying ? clock.uptime : due
            sockets.turn(waiting: inbox.isEmpty ? max(0, deadline - clock.uptime) : 0)
            try takeTurn { hasWaited in
                if hasWaited { sockets.turn(waiting: 0) }
                try batch(inbox.take(limit: Self.batchArrivals), engine)
            }
            if mustPause { usleep(Self.fullDiskPauseMicroseconds) }
            mustPause = false
            isCopying = try between()
        }
        beats.end()
    }

    private func takeTurn(_ body: (_ hasWaited: Bool) throws -> Void) rethrows {
        let hasWaited = beginTurn()
        defer { endTurn() }
        try body(hasWaited)
    }

    /// Whether the thread had to wait for it.
    @discardableResult private func beginTurn() -> Bool {
        if hasTurn { return false }
        defer { hasTurn = true }
        return host.turns.begin()
    }

    private func endTurn() {
        if hasTurn { host.turns.end() }
        hasTurn = false
    }

    /// The thread lives, but does nothing meanwhile: other partitions of the process have its turn.
    func waitsForLog(isLong: Bool = true) {
        endTurn()
        if isLong { beats.answer() }
    }

    /// Ends the process when lock or store changed hands: nothing more is acknowledged.
    ///
    /// Who has both owns the socket's path, too, and takes it back.
    private func verify(_ store: OwnedStore) throws {
        let uptime = ClockReading.current().uptime
        guard uptime >= fenceAt - Self.fenceSlackMilliseconds else { return }
        fenceAt = uptime + Self.fenceMilliseconds
        try store.verify()
        guard let sockets, let router, try sockets.rebindIfCutOff(router) else { return }
        settings.logger.warning(
            "The socket's file was removed or replaced; it is bound again",
            metadata: ["partition": "\(address)"]
        )
    }

    /// Answers after a turn of the partition's thread and an empty transaction, or at once while it takes long.
    func beat(_ answer: @escaping @Sendable () -> Void) {
        // Wakes the thread, which may have answered already.
        if beats.add(answer) { inbox.enqueueUnbounded(.probe) }
    }

    private func batch(_ arrivals: [Arrival], _ engine: PartitionEngine) throws {
        let clock = ClockReading.current()
        var inputs = arrivals.flatMap(inputs)
        if let deadline = engine.nextDeadline(at: clock), deadline <= clock.uptime { inputs.append(.tick) }
        let most = engine.isCautious ? PartitionEngine.cautiousBatchEvents : PartitionEngine.batchEvents
        for start in stride(from: 0, to: inputs.count, by: most) {
            let batch = inputs[start..<min(start + most, inputs.count)]
            beginTurn()  // the last one ended as the log was waited for
            try pausing {
                let start = ContinuousClock.now
                let output = try engine.handle(Array(batch), at: clock)
                let time = ContinuousClock.now - start
                engine.counters.count(batch.count, output, took: time, sockets?.statistics)
                say(output)
            } otherwise: { fault in
                refuse(batch, fault)
                // Nobody would repeat the results of work.
                for case .worked(let item, let result) in batch {
                    inbox.enqueueUnbounded(.input(.worked(item, result: result)))
                }
            }
            try answerBeats(engine)
        }
        try pausing { say(try engine.retryDelayed(at: clock)) }
        try pausing { say(try engine.redrive(at: clock)) }
        try answerBeats(engine)
    }

    /// Runs `body`; the partition pauses after its turn when the store cannot write now, and nothing took effect.
    private func pausing(
        _ body: () throws -> Void,
        otherwise: (StoreError) -> Void = { _ in }
    ) throws {
        do {
            try body()
        } catch let fault as StoreError where fault.mayPass {
            otherwise(fault)
            mustPause = true
        }
    }

    private func inputs(_ arrival: Arrival) -> [PartitionInput] {
        switch arrival {
        case .message(let inbound): coder.decode(inbound.frames)?.inputs(from: inbound.peer) ?? []
        case .answer(let inbound, let peer): coder.decode(inbound.frames)?.inputs(by: peer) ?? []
        case .input(let input): [input]
        case .probe: []
        }
    }

    private func answerBeats(_ engine: PartitionEngine) throws {
        guard beats.areWaiting else { return }
        // A store that is full or busy, or without a lease, still counts as alive.
        try pausing { try engine.touch() }
        beats.answer()
    }

    private func refuse(_ inputs: ArraySlice<PartitionInput>, _ fault: StoreError) {
        guard let pause = fault.pause else { return }
        settings.logger.error("\(pause.line)", metadata: ["partition": "\(address)"])
        let refusal = RequestRefusal(.busy, pause.answer)
        for case .request(let request) in inputs { sendReplies([request.reply(nil, refused: refusal)]) }
    }

    // MARK: Speaking

    private func say(_ output: PartitionOutput) {
        for alarm in output.alarms {
            var metadata: Logger.Metadata = [
                "partition": "\(address)", "alarm": "\(alarm.text)", "kind": "\(alarm.kind.rawValue)",
            ]
            metadata["traceparent"] = alarm.traceparent.map(Logger.MetadataValue.string)
            settings.logger.error("An operator must look", metadata: metadata)
        }
        sendReplies(output.replies)
        settings.crash.reach(.afterReply)
        sendReplies(output.settles)
        settings.crash.reach(.afterSettle)
        send(
            output.linkMessages.compactMap { linkMessage -> Outbound? in
                let isAttach = linkMessage.message.header.attach != nil
                guard let socket = dealer(to: linkMessage.to, looksUp: isAttach) else { return nil }
                return Outbound(socket: socket, frames: coder.encode(linkMessage.message))
            }
        )
        if !output.linkMessages.isEmpty { settings.crash.reach(.afterDelivery) }
        for item in output.work { begin(item) }
    }

    /// Gives outside work to the host; a timer's turn comes with the next batch.
    private func begin(_ item: WorkItem) {
        guard item.timer != nil else { return host.begin(item, of: self) }
        inbox.enqueueUnbounded(.input(.worked(item, result: [])))
    }

    private func sendReplies(_ replies: [PartitionOutput.Reply]) {
        guard let router else { return }
        send(replies.map { .init(socket: router, peer: $0.connection, frames: coder.encode($0.message)) })
    }

    private func send(_ messages: [Outbound]) {
        if !messages.isEmpty { sockets?.send(messages) }
    }

    /// The socket of a link; if its receiver is looked up and listens elsewhere now, a new one.
    private func dealer(to peer: PartitionAddress, looksUp: Bool) -> SocketID? {
        let known = dealers[peer]
        if let known, !looksUp { return known.socket }
        let endpoint = settings.endpoints.endpoint(of: peer)
        if let known {
            if known.endpoint == endpoint { return known.socket }
            sockets?.close(known.socket)
            dealers[peer] = nil
        }
        do {
            let socket = try sockets?.connect(
                to: endpoint,
                maximumMessageBytes: WireMessage.maximumLinkBytes,
                onConnected: { [inbox] in inbox.enqueueUnbounded(.input(.connected(peer))) },
                deliver: { [inbox] in inbox.put($0.map { .answer($0, by: peer) }) }
            )
            dealers[peer] = socket.map { Dealer(socket: $0, endpoint: endpoint) }
            return socket
        } catch {
            settings.logger.error(
                "No socket for a link",
                metadata: ["link": "\(address) → \(peer)", "error": "\(error)"]
            )
            return nil
        }
    }
}
