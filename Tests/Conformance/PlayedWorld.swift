import Dispatch
import Foundation
import NIOConcurrencyHelpers

/// What the gateway, the phone's process and the scenario share: everything that was seen, in one order.
///
/// The gateway's and the phone's threads tell it what happens; the scenario's thread waits for it.
final class PlayedWorld: Sendable {
    static let bundleID = "com.example.game"
    /// When scenarios begin: 2026-01-01T00:00:00Z, in ms since 1970.
    static let beginning: Int64 = 1_767_225_600_000

    /// Most lines that a client may write for one event.
    private static let mostLinesOfEvent = 1_000

    struct State: Sendable {
        var judge: Judge
        var gateway = PlayedGateway()
        /// The first law that was broken, or why the client cannot be judged; nothing counts after it.
        var fault: (any Error)?
        /// Lines of earlier lives count no more.
        var life = 0
        var hasEnded = false
        var isKilled = false
        var events: [Int: PhoneEvent] = [:]
        var handled: Set<Int> = []
        /// How many lines there were since the last event.
        var linesOfEvent = 0
        var payLines: [PhoneLine] = []
        var shown: [ScreenState] = []
        var refreshes = 0
        /// Why the last request was refused, if none about a payment came after it.
        var refusal: String?
        /// Whether answers wait, and which ones do.
        var holdsAnswers = false
        fileprivate var held: [HeldRequest] = []
        /// Requests and lines so far: points at which the client may be killed.
        var points = 0
        var lastPoint: Int?
        /// The request or line at which the client was killed last.
        var killedAt = ""
        var kill: (@Sendable () -> Void)?
        var output: PhoneOutput?

        /// How many requests wait for an answer.
        var heldCount: Int { held.count }
    }

    fileprivate struct HeldRequest: Sendable {
        let request: ProofRequest
        let receiptID: String
        let reply: PendingReply
    }

    private let state: NIOLockedValueBox<State>
    private let changed = DispatchSemaphore(value: 0)

    init(login: Login) {
        var state = State(judge: Judge(buyer: login.buyerID, at: Self.beginning))
        state.gateway.admit(login)
        self.state = NIOLockedValueBox(state)
    }

    /// Changes or reads what is known.
    func with<Value>(_ body: (inout State) throws -> Value) rethrows -> Value {
        defer { changed.signal() }
        return try state.withLockedValue(body)
    }

    /// Waits until `condition` yields a value; nil when the time is over.
    ///
    /// - Throws: the fault of the client, as soon as there is one; `PhoneKilled` if it was killed at the chosen point.
    func wait<Value>(until end: ContinuousClock.Instant, for condition: (State) -> Value?) throws -> Value? {
        while true {
            let value = try state.withLockedValue { state in
                if let fault = state.fault { throw fault }
                if state.isKilled { throw PhoneKilled() }
                return condition(state)
            }
            if let value { return value }
            let rest = end - .now
            guard rest > .zero else { return nil }
            let milliseconds = Int(rest / .milliseconds(1)) + 1
            _ = changed.wait(timeout: .now() + .milliseconds(milliseconds))
        }
    }
}

/// The client was killed where the scenario wanted it.
struct PhoneKilled: Error {}

extension PlayedWorld.State {
    /// Lets the judge see something; the first violation stays.
    mutating func note(_ observation: Observation) {
        guard fault == nil else { return }
        do { try judge.apply(observation) } catch { fault = error }
    }

    /// A point at which the client may be killed; whether it was.
    fileprivate mutating func passesPoint(_ what: @autoclosure () -> String) -> Bool {
        points += 1
        guard points == lastPoint else { return false }
        killedAt = "\(Quote(what()))"
        isKilled = true
        kill?()
        return true
    }
}

/// What the phone's process tells.
extension PlayedWorld {
    /// A line on the standard output of this life.
    func wrote(_ text: String, life: Int) {
        with { state in
            guard state.life == life, !state.isKilled, state.fault == nil else { return }
            do throws(PhoneFault) {
                Self.take(try PhoneLine(text), of: text, in: &state)
            } catch {
                state.fault = error
            }
        }
    }

    private static func take(_ line: PhoneLine, of text: String, in state: inout State) {
        state.linesOfEvent += 1
        guard state.linesOfEvent <= mostLinesOfEvent else {
            state.fault = PhoneFault("wrote more than \(mostLinesOfEvent) lines for one event")
            return
        }
        state.note(.wrote(line))
        switch line {
        case .handled(let number):
            guard let event = state.events.removeValue(forKey: number) else {
                state.fault =
                    state.fault ?? PhoneFault("wrote that it has handled \(number), which no event is called")
                return
            }
            state.handled.insert(number)
            state.note(.handled(event))
        case .pay: state.payLines.append(line)
        case .show(let screen, _): state.shown.append(screen)
        case .refreshReceipt: state.refreshes += 1
        case .finish: break
        }
        _ = state.passesPoint("line \(text)")
    }

    /// The standard output of this life is at its end.
    func ended(life: Int) {
        with { state in
            if state.life == life { state.hasEnded = true }
        }
    }

    /// The client of this life cannot be judged any further.
    func failed(_ fault: PhoneFault, life: Int) {
        with { state in
            if state.life == life, !state.isKilled { state.fault = state.fault ?? fault }
        }
    }
}

/// What arrives at the gateway.
extension PlayedWorld {
    /// Answers a request, now or when the scenario lets it.
    func arrived(_ call: HTTPCall, _ pending: PendingReply) {
        with(\.output)?.drain()
        let reply: GatewayReply?? = with { state in
            do {
                return try Self.decide(call, pending, in: &state)
            } catch {
                state.fault = state.fault ?? error
                return .some(nil)
            }
        }
        if let reply { pending.send(reply) } else { watch(pending) }
    }

    /// The reply; none while it is held.
    private static func decide(
        _ call: HTTPCall,
        _ pending: PendingReply,
        in state: inout State
    ) throws -> GatewayReply?? {
        guard !state.isKilled else { return .some(nil) }
        let what = "request \(call.method) \(call.path)"
        switch try state.gateway.decide(call, at: state.judge.now) {
        case .reply(let reply, let refusal):
            if let refusal { state.refusal = refusal }
            return state.passesPoint(what) ? .some(nil) : .some(reply)
        case .order(let request, let reply, let refusal):
            if let refusal { state.refusal = refusal }
            state.note(.ordered(request))
            return state.passesPoint(what) ? .some(nil) : .some(reply)
        case .proof(let request, let receiptID):
            state.refusal = nil
            state.note(.asked(request))
            if state.passesPoint(what) { return .some(nil) }
            if state.holdsAnswers {
                state.held.append(HeldRequest(request: request, receiptID: receiptID, reply: pending))
                return nil
            }
            return .some(try answer(request, receiptID, in: &state))
        }
    }

    private static func answer(
        _ request: ProofRequest,
        _ receiptID: String,
        in state: inout State
    ) throws -> GatewayReply? {
        let answer = state.gateway.nextAnswer(to: request, receiptID: receiptID)
        state.note(.answered(request, answer))
        if answer.isFinish { state.gateway.grant(request.transactions) }
        let payments = request.transactions.compactMap { state.judge.payments[$0] }
        return try answer.reply(receiptID: receiptID, transactions: payments)
    }

    /// A client that hangs up has no request under way any more.
    private func watch(_ pending: PendingReply) {
        pending.onAbandonment { [weak self, weak pending] in
            self?.with { state in
                guard let index = state.held.firstIndex(where: { $0.reply === pending }) else { return }
                state.note(.answered(state.held.remove(at: index).request, .lost))
            }
        }
    }

    /// Answers what was held, and holds no more.
    func release() throws {
        let replies = try with { state in
            state.holdsAnswers = false
            defer { state.held = [] }
            return try state.held.map { ($0.reply, try Self.answer($0.request, $0.receiptID, in: &state)) }
        }
        for (pending, reply) in replies { pending.send(reply) }
    }

    /// Breaks the connections of what was held: the client is no more.
    func dropHeld() {
        let held = with { state in
            defer { state.held = [] }
            return state.held
        }
        for request in held { request.reply.send(nil) }
    }
}
