import LoadVerdict
import TestKit

/// What the gateway says of a compensation; nothing else of it matters.
private struct CompensationAnswer: Decodable, Sendable {
    let proposalId: String
    let state: String
}

/// Operators who make up for an order whose proof has not come.
extension Phone {
    /// One operator proposes and another one confirms; then the proof comes, or it is taken back, or both.
    func makeUp(_ payment: Payment) async throws {
        guard let desk = context.desk, let script = script.compensation,
            let proposal = try await propose(payment.order, desk)
        else { return }
        switch script.course {
        case .neverProven:
            try await confirm(proposal, desk)
            try await reverse(proposal, desk)
        case .provenLate:
            try await confirm(proposal, desk)
            try await prove(payment, proposal)
        case .provenAtOnce:
            async let confirmed: Void = confirm(proposal, desk)
            try await prove(payment, proposal)
            try await confirmed
        case .provenAfterReversal:
            try await confirm(proposal, desk)
            try await reverse(proposal, desk)
            try await prove(payment, proposal)
        }
    }

    /// Nil where the order is paid already, the operators have done enough for a day, or the run is over.
    private func propose(_ order: OrderAnswer, _ desk: OperatorDesk) async throws -> String? {
        let body = [
            "bundleId": client.bundleID, "buyerId": context.buyers[script.buyer], "productId": product.id,
            "orderId": order.id, "reason": "ticket \(script.number)",
        ]
        let outcome: OperatorDesk.Outcome<CompensationAnswer>? = try await context.retry {
            await desk.post("/compensations", body, by: script.number, key: key)
        }
        guard case .done(let answer)? = outcome else { return nil }
        let compensation = CompensationBook.Compensation(
            buyer: Int32(script.buyer),
            product: UInt8(script.product)
        )
        context.note { $0.compensations.begin(answer.proposalId, compensation) }
        return answer.proposalId
    }

    private var key: String { "\(context.buyers[0])/\(script.number)/compensation" }

    private func confirm(_ proposal: String, _ desk: OperatorDesk) async throws {
        for _ in 0..<(script.compensation?.isRepeated == true ? 2 : 1) {
            let outcome: OperatorDesk.Outcome<CompensationAnswer>? = try await context.retry {
                await desk.post("/proposals/\(proposal)/confirm", [:], by: script.number + 1, key: key)
            }
            guard case .done(let answer)? = outcome, answer.state == "granted" else { return }
            context.note { $0.compensations.confirm(proposal) }
        }
    }

    private func reverse(_ proposal: String, _ desk: OperatorDesk) async throws {
        let outcome: OperatorDesk.Outcome<CompensationAnswer>? = try await context.retry {
            let body = ["reason": "no proof has come"]
            return await desk.post("/proposals/\(proposal)/reverse", body, by: script.number + 1, key: key)
        }
        if case .done? = outcome { context.note { $0.compensations.close(proposal) } }
    }

    /// The buyer keeps the goods, as those of the purchase.
    private func prove(_ payment: Payment, _ proposal: String) async throws {
        context.note { $0.compensations.expect(payment.id, instead: proposal) }
        try await pay(payment)
        try await submit(payment, since: WallClock.microseconds)
        context.note {
            if $0.expectations[payment.id]?.isAcknowledged == true { $0.compensations.close(proposal) }
        }
    }
}
