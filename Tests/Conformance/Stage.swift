import Foundation

/// Where a scenario is played: one phone, one gateway, and a clock that the scenario moves.
final class Stage {
    /// How a client is started, and how long it may take.
    struct Setting: Sendable {
        let command: [String]
        /// Real time in which a client has to have handled an event.
        let limit: Duration
        /// Told of the client that runs now.
        let running: RunningPhone
    }

    /// Real time that a client has to show that it does something which it must not do.
    private static let restraint = Duration.milliseconds(400)
    /// Real time that a scenario may take in all.
    private static let longestPlay = Duration.seconds(300)
    /// Between two ticks, in ms, where a scenario wants nothing else.
    static let step: Int64 = 10_000

    let setting: Setting
    let world: PlayedWorld
    private let server: GatewayServer
    /// Survives the client; its keychain.
    private let files: URL
    private var login: Login
    private var phone: PhoneProcess?
    private var number = 0
    private var payments = 0
    private let end = ContinuousClock.now + Stage.longestPlay
    private(set) var now = PlayedWorld.beginning

    init(_ setting: Setting) throws {
        self.setting = setting
        login = try Self.login("ada")
        world = PlayedWorld(login: login)
        server = try GatewayServer { [world] in world.arrived($0, $1) }
        files = FileManager.default.temporaryDirectory.appending(
            path: "counterfoil-conform-\(UUID().uuidString)"
        )
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        setting.running.note(files)
    }

    /// Ends the client and removes its files.
    func close() throws {
        stop()
        try server.close()
        try FileManager.default.removeItem(at: files)
    }

    /// A token for a buyer, valid for as long as any scenario takes.
    static func login(_ buyerID: String, _ number: Int = 1) throws -> Login {
        let content: [String: Any] = [
            "sub": buyerID, "aud": PlayedWorld.bundleID, "jti": number, "iat": PlayedWorld.beginning / 1_000,
            "exp": PlayedWorld.beginning / 1_000 + 86_400 * 30,
        ]
        return Login(
            buyerID: buyerID,
            token: try SignedText.make(content, header: ["alg": "ES256", "kid": "played"])
        )
    }

    /// A payment of which StoreKit will tell.
    func payment(
        of productID: String = "coins.120",
        for token: String? = nil,
        again earlier: Payment? = nil
    ) throws -> Payment {
        payments += 1
        let payment = try Payment(
            transactionID: earlier?.transactionID ?? "200000081234\(1_000 + payments)",
            productID: productID,
            appAccountToken: token,
            isRefunded: earlier != nil,
            at: now
        )
        if let proof = payment.signedTransaction { world.with { $0.gateway.know(proof, of: [payment]) } }
        return payment
    }

    /// An order that another phone of the first buyer has made is in this state from now on.
    func setOrder(of productID: String, to state: String) {
        world.with { [now] in $0.gateway.setOrder(of: productID, for: "ada", to: state, at: now) }
    }

    /// An app receipt that proves these payments.
    func receipt(of payments: [Payment]) -> String {
        let text = "PKCS7 \(now) \(payments.map(\.transactionID).joined(separator: " "))"
        let receipt = Data(text.utf8).base64EncodedString()
        world.with { $0.gateway.know(receipt, of: payments) }
        return receipt
    }
}

/// The client's lives.
extension Stage {
    /// Starts the client, with the files that it left behind, and tells it that it was launched.
    func launch() throws {
        try start()
        try give(.launch)
    }

    private func start() throws {
        stop()
        let life = world.with { state in
            state.life += 1
            state.hasEnded = false
            state.isKilled = false
            return state.life
        }
        let environment = [
            "COUNTERFOIL_GATEWAY": server.url, "COUNTERFOIL_BUNDLE_ID": PlayedWorld.bundleID,
            "COUNTERFOIL_BUYER": login.buyerID, "COUNTERFOIL_TOKEN": login.token,
            "COUNTERFOIL_FILES": files.path(percentEncoded: false),
        ]
        let phone = try PhoneProcess(setting.command, environment: environment, world: world, life: life)
        self.phone = phone
        setting.running.note(phone.pid)
        world.with { [pid = phone.pid, output = phone.output] state in
            state.kill = { PhoneProcess.kill(pid) }
            state.output = output
        }
    }

    /// The client dies here, by SIGKILL; its files stay.
    func kill() {
        world.with { $0.isKilled = true }
        stop()
        world.with { state in
            state.isKilled = false
            state.life += 1
        }
    }

    private func stop() {
        guard let phone else { return }
        phone.kill()
        setting.running.note(nil)
        self.phone = nil
        world.dropHeld()
        world.with { state in
            state.note(.killed)
            state.events = [:]
            state.payLines = []
            state.shown = []
        }
    }

    /// Kills the client at its next request or line of this number, from now on; nil for never.
    func killAtPoint(_ point: Int?) {
        world.with { state in
            state.points = 0
            state.lastPoint = point
        }
    }
}

/// What happens to the phone.
extension Stage {
    /// Tells of an event, and waits until it is handled.
    func give(_ event: PhoneEvent) throws {
        let number = try tell(event)
        let limit = ContinuousClock.now + setting.limit
        let isHandled = try world.wait(until: limit) { state -> Bool? in
            if state.handled.contains(number) { return true }
            return state.hasEnded ? false : nil
        }
        guard isHandled != true else { return }
        if isHandled == false {
            throw PhoneFault(
                "\(phone?.ending(afterClosing: "output") ?? "ended") before it had handled `\(event.name)`"
            )
        }
        let seconds = setting.limit / .seconds(1)
        throw PhoneFault(
            "did not write {\"handled\": \(number)} within \(seconds.formatted()) s of `\(event.name)`"
        )
    }

    /// Tells of an event without waiting; the number of the event.
    @discardableResult func tell(_ event: PhoneEvent) throws -> Int {
        guard let phone else { throw PhoneFault("is not running") }
        guard .now < end else { throw PhoneFault("took more than \(Self.longestPlay) for this scenario") }
        number += 1
        world.with { [number, now] state in
            state.events[number] = event
            state.linesOfEvent = 0
            state.note(.given(event, at: now))
        }
        let line = try event.line(number: number, at: now)
        do {
            try phone.write(line, until: .now + setting.limit)
        } catch {
            // It may have been killed where it was meant to be.
            _ = try world.wait(until: .now) { _ in true }
            throw error
        }
        return number
    }

    /// Another buyer logs in, or the same one with another token.
    func logIn(_ next: Login) throws {
        world.with { state in
            state.gateway.admit(next)
            // What was refused before says nothing of the new token.
            state.refusal = nil
        }
        login = next
        guard phone == nil else { return try give(.login(next)) }
        world.with { [now] state in state.note(.given(.login(next), at: now)) }
    }

    /// Lets time go by, in ms.
    func pass(_ duration: Int64, step: Int64 = Stage.step) throws {
        let end = now + duration
        while now < end {
            now = min(now + step, end)
            try give(.tick)
        }
    }

    /// Lets time go by until `condition` holds; whether it did, within a duration in ms.
    func pass(
        atMost duration: Int64,
        step: Int64 = Stage.step,
        until condition: (PlayedWorld.State) -> Bool
    ) throws -> Bool {
        let end = now + duration
        while true {
            if world.with({ condition($0) }) { return true }
            guard now < end else { return false }
            try pass(step, step: step)
        }
    }

    /// Waits until the gateway holds a request.
    func awaitHeldRequest() throws {
        let limit = ContinuousClock.now + setting.limit
        let came = try world.wait(until: limit) { state in state.heldCount > 0 ? true : nil }
        if came == nil { throw Violation(.neverGivesUp, "did not send the proof") }
    }

    /// Gives the client time to do what it must not do while a request is under way.
    ///
    /// One that handles an event only after the answer to the request before it does not use this time.
    func awaitRestraint(until number: Int) throws {
        _ = try world.wait(until: .now + Self.restraint) { state in
            state.handled.contains(number) ? true : nil
        }
    }

    /// Waits until these events are handled.
    func awaitHandled(_ numbers: [Int]) throws {
        let limit = ContinuousClock.now + setting.limit
        let all = try world.wait(until: limit) { state in state.handled.isSuperset(of: numbers) ? true : nil }
        if all == nil { throw PhoneFault("did not write {\"handled\": …} for each of its events") }
    }
}
