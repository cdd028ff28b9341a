import Contracts
import NIOConcurrencyHelpers
import TestKit

extension GatewayClient {
    /// `POST /v1/buyers/{buyer}/spend` or `/credit`.
    func wallet(
        _ what: String,
        _ buyer: String,
        _ amount: Int64,
        of entitlement: String = "coins",
        key: String,
        more: String = ""
    ) async throws -> HTTPReply {
        let body = #"{"entitlement":"\#(entitlement)","amount":\#(amount)\#(more)}"#
        return try await post("/v1/buyers/\(buyer)/\(what)", json: body, key: key)
    }

    /// What a buyer holds.
    func holdings(of buyer: String) async throws -> EntitlementsV1 {
        try await retry("holdings") { try await get("/v1/buyers/\(buyer)/entitlements") }.json()
    }

    /// How many coins a buyer has.
    func coins(of buyer: String) async throws -> Int64 {
        try await holdings(of: buyer).balances["coins"] ?? 0
    }
}

/// Callers of one buyer's wallet, all at once, who send again what gets no answer, and what they saw.
///
/// A reply that is lost leaves open whether there was an effect; the same request again is an operation of its own.
struct ConcurrentWallet {
    private struct State {
        var turn = 0
        var operations: [WalletHistory.Operation] = []
    }

    let gateway: GatewayClient
    let buyer: String
    private let state = NIOLockedValueBox(State())

    init(_ gateway: GatewayClient, of buyer: String) {
        self.gateway = gateway
        self.buyer = buyer
    }

    var count: Int { state.withLockedValue { $0.operations.count } }

    func history(coinsPerGrant: Int64) -> WalletHistory {
        WalletHistory(operations: state.withLockedValue { $0.operations }, coinsPerGrant: coinsPerGrant)
    }

    /// Does it until there is an answer.
    func carryOut(_ action: WalletHistory.Action, _ send: () async throws -> HTTPReply) async throws {
        try await eventually("\(action) is answered", within: .seconds(60)) {
            let number = begin(action)
            let reply: HTTPReply
            do {
                reply = try await send()
            } catch is HTTPConnections.Fault {
                return false
            }
            // Nothing is known of a 503, and of a purchase that is pending.
            guard reply.status != 503, reply.status != 202 else { return false }
            end(number, try Self.result(of: action, reply))
            return true
        }
    }

    func spend(_ amount: Int64, key: String) async throws {
        try await carryOut(.spend(key: key, amount: amount)) {
            try await gateway.wallet("spend", buyer, amount, key: key)
        }
    }

    func credit(_ amount: Int64, key: String) async throws {
        try await carryOut(.credit(key: key, amount: amount)) {
            try await gateway.wallet("credit", buyer, amount, key: key)
        }
    }

    func read() async throws {
        try await carryOut(.read) { try await gateway.get("/v1/buyers/\(buyer)/entitlements") }
    }

    func buy(_ purchase: Purchase) async throws {
        try await carryOut(.grant(purchase.transactionId)) {
            try await gateway.submit(buyer, proof: purchase.proof)
        }
    }

    private func begin(_ action: WalletHistory.Action) -> Int {
        state.withLockedValue { state in
            state.turn += 1
            state.operations.append(.init(action: action, invoked: state.turn))
            return state.operations.count - 1
        }
    }

    private func end(_ number: Int, _ result: WalletHistory.Result) {
        state.withLockedValue { state in
            state.turn += 1
            state.operations[number].returned = state.turn
            state.operations[number].result = result
        }
    }

    private static func result(
        of action: WalletHistory.Action,
        _ reply: HTTPReply
    ) throws -> WalletHistory.Result {
        switch action {
        case .read: return .balance(Int64(try reply.json(HoldingsAnswer.self).balances["coins"] ?? 0))
        case .grant:
            let verdict = try reply.json(VerdictAnswer.self)
            guard verdict.isGranted else { throw HarnessFault("not granted: \(verdict)") }
            return .done
        case .spend, .credit:
            if reply.status == 201 { return .balance(try reply.json(WalletEntryV1.self).balance) }
            guard try reply.json(ProblemAnswer.self).code == "insufficient" else {
                throw HarnessFault("\(action): \(reply.status) \(reply.text)")
            }
            return .insufficient
        }
    }
}
