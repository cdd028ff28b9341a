package import Contracts
package import Domain
import NIOConcurrencyHelpers

/// What one attempt with a receipt came to.
package struct VerifyReceiptFinding: Hashable, Sendable {
    /// What to do.
    package var decision: VerifyReceiptDecision
    /// The server that spoke last, or would have.
    package var server: AppleServer
    /// What it said; there whenever the decision is `valid` or `notEntitled`.
    package var answer: VerifyReceiptAnswer?
    /// Where the receipt stays pending: when to make the next attempt.
    package var again: Timestamp?
}

/// What is kept of the attempts with a receipt from one to the next.
package struct VerifyReceiptAttempts: Codable, Hashable, Sendable {
    /// All of them.
    package private(set) var count = 0
    /// Those in which Apple refused the receipt.
    package private(set) var refusals = 0

    package init() {}

    package init(count: Int, refusals: Int) {
        self.count = count
        self.refusals = refusals
    }

    /// Adds an attempt that came to `decision`.
    package mutating func add(_ decision: VerifyReceiptDecision) {
        count += 1
        if decision.isRefusal { refusals += 1 }
    }
}

/// Asks Apple's deprecated `verifyReceipt`, production first.
///
/// One attempt a call, at most one question to each server: the work is durable, and its owner keeps count of
/// the attempts. Never throws: whatever goes wrong is one of the decisions, and none but Apple's own word loses a
/// receipt.
package final class VerifyReceiptClient: Sendable {
    /// An answer of more bytes is not read; a receipt of 3 MiB has some thousand rows.
    package static let answerBytes = 8 << 20
    /// How long a receipt waits for its next attempt: not long, as Apple may be back.
    package static let backoff = Backoff(first: 1_000, longest: 10_000)
    /// How long a receipt waits after an alarm that an operator must end, in ms.
    package static let alarmPause: Int64 = 60_000

    private let addresses: AppleAddresses
    private let transport: any AppleTransport
    private let clock: CallClock
    private let production = NIOLockedValueBox(CallGate())
    private let sandbox = NIOLockedValueBox(CallGate())

    package init(
        addresses: AppleAddresses = .verifyReceipt,
        transport: any AppleTransport = HTTPSTransport(),
        clock: CallClock = .system
    ) {
        self.addresses = addresses
        self.transport = transport
        self.clock = clock
    }

    /// Makes one more attempt with a receipt.
    package func verify(
        _ request: VerifyReceiptRequest,
        after earlier: VerifyReceiptAttempts = VerifyReceiptAttempts()
    ) async -> VerifyReceiptFinding {
        var finding = await attempt(request, earlier)
        finding.again = again(after: finding.decision, earlier.count + 1, notBefore: finding.again)
        return finding
    }

    private func attempt(
        _ request: VerifyReceiptRequest,
        _ earlier: VerifyReceiptAttempts
    ) async -> VerifyReceiptFinding {
        let body: [UInt8]
        do { body = try request.body() } catch { return Self.unsent(.ourFault) }
        guard body.count <= VerifyReceiptRequest.maximumBytes else { return Self.unsent(.tooLarge) }
        let first = await ask(.production, body, earlier, isSentHere: false)
        guard case .ask(let other) = first.decision else { return first }
        return await ask(other, body, earlier, isSentHere: true)
    }

    private static func unsent(_ decision: VerifyReceiptDecision) -> VerifyReceiptFinding {
        VerifyReceiptFinding(decision: decision, server: .production)
    }

    private func ask(
        _ server: AppleServer,
        _ body: [UInt8],
        _ earlier: VerifyReceiptAttempts,
        isSentHere: Bool
    ) async -> VerifyReceiptFinding {
        let permit: CallGate.Permit
        do throws(CallGate.Refusal) {
            permit = try enter(server)
        } catch {
            return VerifyReceiptFinding(refused: error, server)
        }
        do throws(TransportFailure) {
            let answer = try await transport.execute(call(server, body))
            let finding = finding(answer, server, earlier, isSentHere: isSentHere)
            leave(server, permit, finding.decision.isTrouble ? .failed : .answered)
            return finding
        } catch {
            leave(server, permit, error == .cancelled ? .abandoned : .failed)
            return VerifyReceiptFinding(decision: .retry(.noAnswer(error)), server: server)
        }
    }

    private func call(_ server: AppleServer, _ body: [UInt8]) -> AppleCall {
        AppleCall(
            method: .post,
            url: addresses.address(of: server),
            token: nil,
            body: body,
            answerLimit: Self.answerBytes
        )
    }

    private func finding(
        _ answer: AppleAnswer,
        _ server: AppleServer,
        _ earlier: VerifyReceiptAttempts,
        isSentHere: Bool
    ) -> VerifyReceiptFinding {
        let content = VerifyReceiptAnswer(json: answer.body)
        var situation = VerifyReceiptDecision.Situation(status: content?.status, asked: server)
        situation.http = answer.status
        situation.isRetryable = content?.isRetryable
        situation.isSentHere = isSentHere
        situation.earlierRefusals = earlier.refusals
        return VerifyReceiptFinding(
            decision: VerifyReceiptDecision(situation),
            server: server,
            answer: content
        )
    }

    /// When the next attempt is due; nil where none is.
    private func again(
        after decision: VerifyReceiptDecision,
        _ attempt: Int,
        notBefore earliest: Timestamp?
    ) -> Timestamp? {
        switch decision {
        case .retry, .ask:
            let pause = Self.backoff.pause(after: attempt, random: clock.random())
            return max(clock.now().advanced(by: pause), earliest ?? clock.now())
        case .wrongSecret, .ourFault: return clock.now().advanced(by: Self.alarmPause)
        case .valid, .notEntitled, .reject, .neverPurchased, .park, .tooLarge: return nil
        }
    }

    private func enter(_ server: AppleServer) throws(CallGate.Refusal) -> CallGate.Permit {
        let now = clock.now()
        return try gate(of: server).withLockedValue { gate in
            Result { () throws(CallGate.Refusal) in try gate.enter(nil, now: now) }
        }.get()
    }

    private func leave(_ server: AppleServer, _ permit: CallGate.Permit, _ outcome: CallGate.Outcome) {
        let now = clock.now()
        gate(of: server).withLockedValue { $0.leave(permit, outcome, now: now) }
    }

    private func gate(of server: AppleServer) -> NIOLockedValueBox<CallGate> {
        server == .production ? production : sandbox
    }
}

extension VerifyReceiptFinding {
    /// The finding where the server was not even asked.
    fileprivate init(refused: CallGate.Refusal, _ server: AppleServer) {
        let (trouble, until): (VerifyReceiptDecision.Trouble, Timestamp) =
            switch refused {
            case .circuitOpen(let until): (.circuitOpen, until)
            case .busy(let until), .rateLimited(let until): (.busy, until)
            }
        self.init(decision: .retry(trouble), server: server, again: until)
    }
}
