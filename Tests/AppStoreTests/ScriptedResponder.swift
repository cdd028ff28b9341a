import AppStore
import AppStoreSigning
import Contracts
import NIOConcurrencyHelpers
import Testing

/// An OCSP responder that says what it is told to, in good form or bad, and keeps what it was asked.
final class ScriptedResponder: AppleTransport {
    typealias Reply = Result<AppleHTTPResponse, TransportFailure>

    private struct State {
        var statuses: [OCSPSubject: OCSPStatus] = [:]
        var flaw: OCSPFlaw?
        /// By the number of the question, from 1.
        var replies: [Int: Reply] = [:]
        var otherwise: Reply?
        var urls: [String] = []
    }

    private let responder: OCSPResponder
    private let now: Timestamp
    private let state = NIOLockedValueBox(State())

    init(for signer: AppStoreSigner, now: Timestamp = .newYear2026) throws {
        responder = try #require(try signer.responder())
        self.now = now
    }

    /// Where it was asked, in order.
    var asked: [String] { state.withLockedValue { $0.urls } }

    func say(_ status: OCSPStatus, of subjects: OCSPSubject...) {
        state.withLockedValue { state in
            for subject in subjects { state.statuses[subject] = status }
        }
    }

    func spoil(with flaw: OCSPFlaw) { state.withLockedValue { $0.flaw = flaw } }

    /// Gives `reply` to these questions, or to all, instead of its own answer.
    func reply(_ reply: Reply, to numbers: Int...) {
        state.withLockedValue { state in
            if numbers.isEmpty { state.otherwise = reply }
            for number in numbers { state.replies[number] = reply }
        }
    }

    func execute(_ request: AppleHTTPRequest) async throws(TransportFailure) -> AppleHTTPResponse {
        let state = state.withLockedValue { state in
            state.urls.append(request.url)
            return state
        }
        if let reply = state.replies[state.urls.count] ?? state.otherwise { return try reply.get() }
        do {
            let body = try responder.answer(to: request.body ?? [], now: now, flaw: state.flaw) {
                state.statuses[$0] ?? .good
            }
            return AppleHTTPResponse(status: 200, body: body)
        } catch {
            Issue.record(error)
            throw .unreachable
        }
    }
}
