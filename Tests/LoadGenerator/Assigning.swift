import AppStoreSigning
import Contracts
import LoadVerdict
import TestKit

/// What the gateway says of an assignment; nothing of it matters.
private struct AssignmentAnswer: Decodable, Sendable {}

/// A purchase that names nobody, of which Apple alone tells, and that an operator gives to its buyer.
extension Phone {
    func beAssigned() async throws {
        guard let desk = context.desk else { return }
        var purchase = SimulatedPurchase(bundleId: client.bundleID, productId: product.id)
        purchase.type = product.kind.signedName
        purchase.quantity = script.quantity
        purchase.price *= Int64(script.quantity)
        let transaction = purchase.transaction(at: .now())
        let number = try transaction.number
        var line = JournalLine(.paid, transaction: transaction.transactionId)
        line.owner = context.buyers[script.buyer]
        line.productId = product.id
        line.quantity = script.quantity
        line.habit = script.habit.rawValue
        let expectation = PurchaseExpectation(
            owner: Int32(script.buyer),
            product: UInt8(script.product),
            quantity: UInt8(script.quantity),
            names: .nothing
        )
        context.note { $0.notePayment(number, expectation) }
        try await context.journal.add(line)
        guard try await deliver(Notice(type: "ONE_TIME_CHARGE", transaction: transaction)) else { return }
        try await assign(transaction.transactionId, number, desk)
    }

    /// Nobody has it until it is assigned; from then on it must be in its buyer's ledger.
    private func assign(_ transaction: String, _ number: UInt64, _ desk: OperatorDesk) async throws {
        let body = [
            "bundleId": client.bundleID, "buyerId": context.buyers[script.buyer],
            "transactionId": transaction, "reason": "ticket \(script.number)",
        ]
        let key = "\(context.buyers[0])/\(script.number)/assignment"
        let answer: AssignmentAnswer? = try await context.retry {
            let reply: Reply<OperatorDesk.Outcome<AssignmentAnswer>> = await desk.post(
                "/assignments",
                body,
                by: script.number,
                key: key
            )
            return switch reply {
            case .answered(.done(let answer)): .answered(answer)
            // Its partition has not heard of it, or an answer of Orders is on its way.
            case .answered(.early): .failed("early")
            case .answered(.refused): .rejected("an orphan is held by somebody")
            case .rejected(let reason): .rejected(reason)
            case .failed(let reason): .failed(reason)
            }
        }
        guard answer != nil else { return }
        context.note { $0.noteAssignment(of: number) }
    }
}
