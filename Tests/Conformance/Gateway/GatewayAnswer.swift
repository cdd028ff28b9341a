import Foundation

/// How the played gateway answers a request about a proof.
enum GatewayAnswer: Equatable, Sendable, CustomStringConvertible {
    /// 202 for `pending`, else 200.
    case verdict(String, finish: Bool, reason: String? = nil)
    /// A 202 or an error whose body nevertheless says `"finish": true`.
    case finish(status: Int)
    case problem(status: Int, code: String, retryAfter: Int? = nil)
    /// What no gateway of ours says; something between it and the phone does.
    case text(status: Int, String)
    /// The proof is recorded, and the connection breaks before the answer.
    case lost

    static let granted = GatewayAnswer.verdict("granted", finish: true)
    static let pending = GatewayAnswer.verdict("pending", finish: false)
    static let failed = GatewayAnswer.problem(status: 500, code: "internal")
    static let unauthorized = GatewayAnswer.problem(status: 401, code: "unauthorized")

    /// Whether it allows to finish.
    var isFinish: Bool {
        if case .verdict(_, finish: true, _) = self { return true }
        return false
    }

    /// Whether an order that is answered so must not be paid; a gateway that is busy or out of reach forbids nothing.
    var forbidsPayment: Bool {
        guard case .problem(let status, _, _) = self else { return false }
        return (400..<500).contains(status) && ![408, 429].contains(status)
    }

    /// Seconds.
    var retryAfter: Int? {
        if case .problem(_, _, let seconds) = self { return seconds }
        return nil
    }

    var description: String {
        switch self {
        case .verdict("pending", _, _): "a 202 that said pending"
        case .verdict(let verdict, let finish, _): "a 200 that said \(verdict) and \"finish\": \(finish)"
        case .finish(let status): "a \(status), which never means finish, whatever its body says"
        case .problem(let status, let code, _): "a \(status) (\(code))"
        case .text(let status, let text): "a \(status) that said \(Quote(text))"
        case .lost: "a connection that broke before the answer"
        }
    }

    /// What goes over the wire; nil when nothing does.
    func reply(receiptID: String, transactions: [PaymentRecord]) throws -> GatewayReply? {
        switch self {
        case .verdict(let verdict, let finish, let reason):
            let status = verdict == "pending" ? 202 : 200
            return try GatewayReply(
                status: status,
                json: Self.receipt(receiptID, transactions, verdict, finish: finish, reason)
            )
        case .finish(let status):
            return try GatewayReply(
                status: status,
                json: Self.receipt(receiptID, transactions, "granted", finish: true, nil)
            )
        case .problem(let status, let code, let seconds):
            var reply = try GatewayReply.problem(status, code, "This is played.")
            if let seconds { reply.headers.append(("Retry-After", String(seconds))) }
            return reply
        case .text(let status, let text):
            return GatewayReply(
                status: status,
                headers: [("Content-Type", "text/html")],
                body: Data(text.utf8)
            )
        case .lost: return nil
        }
    }

    private static func receipt(
        _ receiptID: String,
        _ transactions: [PaymentRecord],
        _ verdict: String,
        finish: Bool,
        _ reason: String?
    ) -> [String: Any] {
        var receipt: [String: Any] = [
            "receiptId": receiptID, "verdict": verdict, "environment": "Production", "finish": finish,
        ]
        receipt["reason"] = reason
        receipt["transactions"] = transactions.map { payment in
            var item: [String: Any] = [
                "transactionId": payment.transactionID, "originalTransactionId": payment.transactionID,
                "productId": payment.productID, "quantity": 1, "environment": "Production",
                "verdict": verdict,
                "finish": finish,
            ]
            item["reason"] = reason
            return item
        }
        return receipt
    }
}

/// An answer as it goes over the wire.
struct GatewayReply: Sendable {
    let status: Int
    var headers: [(String, String)]
    let body: Data

    init(status: Int, headers: [(String, String)], body: Data) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    init(status: Int, json: [String: Any], type: String = "application/json") throws {
        self.init(
            status: status,
            headers: [("Content-Type", type)],
            body: try JSONSerialization.data(
                withJSONObject: json,
                options: [.sortedKeys, .withoutEscapingSlashes]
            )
        )
    }

    static func problem(
        _ status: Int,
        _ code: String,
        _ detail: String,
        with members: [String: Any] = [:]
    ) throws -> GatewayReply {
        let problem: [String: Any] = [
            "type": "about:blank", "title": code, "status": status, "code": code, "detail": detail,
        ]
        return try GatewayReply(
            status: status,
            json: problem.merging(members) { $1 },
            type: "application/problem+json"
        )
    }
}
