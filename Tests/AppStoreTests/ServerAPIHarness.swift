import AppStore
import Contracts
import Crypto
import NIOConcurrencyHelpers

/// Apple as a list of responses: each request gets the next one, and is recorded.
final class ScriptedApple: AppleTransport {
    typealias Reply = Result<AppleHTTPResponse, TransportFailure>

    private struct State {
        var replies: [Reply]
        var calls: [AppleHTTPRequest] = []
    }

    private let state: NIOLockedValueBox<State>
    /// What comes when the list is at its end.
    private let last: Reply

    init(_ replies: [Reply], then last: Reply = .failure(.unreachable)) {
        state = NIOLockedValueBox(State(replies: replies))
        self.last = last
    }

    var calls: [AppleHTTPRequest] { state.withLockedValue { $0.calls } }

    func script(_ replies: [Reply]) { state.withLockedValue { $0.replies = replies } }

    func execute(_ call: AppleHTTPRequest) async throws(TransportFailure) -> AppleHTTPResponse {
        let reply = state.withLockedValue { state in
            state.calls.append(call)
            return state.replies.isEmpty ? last : state.replies.removeFirst()
        }
        return try reply.get()
    }
}

extension ScriptedApple.Reply {
    static func answer(_ status: Int = 200, _ body: String = "", retryAfter: String? = nil) -> Self {
        .success(AppleHTTPResponse(status: status, retryAfter: retryAfter, body: Array(body.utf8)))
    }

    static func error(_ code: Int64) -> Self {
        answer(Int(code / 10_000), #"{"errorCode":\#(code),"errorMessage":"Testing."}"#)
    }

    static func verdict(_ status: Int, _ more: String = "") -> Self {
        answer(200, #"{"status":\#(status)\#(more.isEmpty ? "" : ",")\#(more)}"#)
    }
}

/// Time that passes only when somebody pauses.
final class HandClock: Sendable {
    private struct State {
        var now = Timestamp.newYear2026
        var pauses: [Int64] = []
    }

    private let state = NIOLockedValueBox(State())

    var now: Timestamp { state.withLockedValue { $0.now } }
    var pauses: [Int64] { state.withLockedValue { $0.pauses } }

    func advance(_ milliseconds: Int64) {
        state.withLockedValue { $0.now = $0.now.advanced(by: milliseconds) }
    }

    var clock: ClientClock {
        ClientClock(
            now: { self.now },
            sleep: { milliseconds in
                try Task.checkCancellation()
                self.state.withLockedValue { $0.pauses.append(milliseconds) }
                self.advance(milliseconds)
            },
            random: { 0 }
        )
    }
}

extension AppStoreServerKey {
    /// A key that nobody else has.
    static func sample(_ key: P256.Signing.PrivateKey = P256.Signing.PrivateKey()) -> AppStoreServerKey {
        AppStoreServerKey(
            issuerId: "57246542-96fe-1a63-e053-0824d011072a",
            keyId: "2X9R4HXF34",
            bundleId: BundleID(unchecked: "com.example"),
            pem: key.pemRepresentation
        )
    }
}

extension AppleAddresses {
    static let test = AppleAddresses(production: "https://production.test", sandbox: "https://sandbox.test")
}
