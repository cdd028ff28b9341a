import Contracts
import LoadVerdict
import TestKit

/// One customer with a phone: orders, pays, submits, and finishes when told to.
///
/// A phone that received any 2xx never submits that proof again; one that received none goes on submitting.
struct Phone: Sendable {
    /// How long the gateway is asked to wait for a verdict, in ms.
    private static let waitMilliseconds = 5_000

    let context: LoadContext
    let script: Script

    var client: GatewayClient { context.client }
    var product: Product { context.products[script.product] }
    var reference: String? {
        // No phone names one.
        script.hasReference && client.phoneKey == nil ? "\(context.buyers[0])/\(script.number)" : nil
    }

    /// Plays the customer's script to its end, or to that of the run.
    ///
    /// - Throws: what the journal throws; `WrongUse` when the gateway trusts no payment of this run.
    func play() async throws {
        guard script.habit != .assignments else { return try await beAssigned() }
        guard let order = try await issue() else { return }
        if script.habit == .late {
            guard try await context.retry({ await close(order) }) != nil else { return }
        }
        let sold = try await script.habit == .sharedPhones ? sellAtAppStore(order) : sell(order)
        guard let payment = sold else { return }
        switch script.habit {
        case .plain, .late, .otherLogin:
            try await pay(payment)
            try await submit(payment, since: WallClock.microseconds)
        case .duplicates: try await loseTheFirstAnswer(payment)
        case .twoAtOnce: try await submitTwiceAtOnce(payment)
        case .tokenTwice: try await payAgain(payment, with: try sell(order))
        case .diesBeforeAnswer: try await die(payment)
        case .restores: try await restore(payment, try restored(payment))
        case .renewals: try await subscribe(payment)
        case .refunds: try await giveBack(payment)
        case .spends: try await spend(payment)
        case .transfers: try await transfer(payment)
        case .sharedPhones: try await share(payment)
        case .compensations: try await makeUp(payment)
        case .assignments: break
        }
    }

    // MARK: Order and payment

    /// Closes the order, unless another payment of the buyer that names none has taken it before.
    private func close(_ order: OrderAnswer) async -> Reply<OrderAnswer> {
        let reply = await Reply<OrderAnswer>.of { try await client.close(order.id) }
        guard case .rejected(let reason) = reply, reason.contains("\"orderIsPaid\"") else { return reply }
        return .answered(order)
    }

    private func issue() async throws -> OrderAnswer? {
        let order: OrderAnswer? = try await context.retry {
            await .of {
                try await client.issue(
                    context.buyers[script.buyer],
                    product: product.id,
                    quantity: script.quantity,
                    reference: reference,
                    key: "\(context.buyers[0])/\(script.number)"
                )
            }
        }
        guard let order else { return nil }
        let placed = PlacedOrder(
            buyer: Int32(script.buyer),
            product: UInt8(script.product),
            reference: reference
        )
        context.note { $0.orders.place(order.orderId, placed) }
        return order
    }

    /// Notes a payment, in the journal first: from here on there is something to lose.
    func pay(_ payment: Payment) async throws {
        var line = JournalLine(.paid, payment)
        line.owner = context.buyers[script.buyer]
        line.submitter = context.buyers[payment.submitter]
        line.orderId = payment.order.id
        line.productId = product.id
        line.quantity = script.quantity
        line.habit = script.habit.rawValue
        let expectation = PurchaseExpectation(
            owner: Int32(script.buyer),
            product: UInt8(script.product),
            quantity: UInt8(script.quantity),
            names: script.carriesToken
                ? .byToken(payment.order.orderId) : .bySubmission(payment.order.orderId),
            ends: payment.transaction.expiresDate
        )
        context.note { $0.notePayment(payment.id, expectation) }
        try await context.journal.add(line)
    }

    // MARK: Habits

    private func loseTheFirstAnswer(_ payment: Payment) async throws {
        try await pay(payment)
        let start = WallClock.microseconds
        if case .failed(let reason) = await attempt(payment) { context.note { $0.noteError(reason) } }
        try await submit(payment, since: start)
    }

    private func submitTwiceAtOnce(_ payment: Payment) async throws {
        try await pay(payment)
        let start = WallClock.microseconds
        async let one = attempt(payment)
        async let other = attempt(payment)
        let replies = await [one, other]
        let answers = replies.compactMap { if case .answered(let answer) = $0 { answer } else { nil } }
        guard !answers.isEmpty else {
            try await submit(payment, since: start)
            return
        }
        // Whatever either part of the app is told must be true; one of them sees the purchase through.
        for answer in answers.dropFirst() { try await judge(answer, payment, since: nil) }
        try await accept(answers[0], payment, since: start)
    }

    private func payAgain(_ payment: Payment, with again: Payment) async throws {
        try await pay(payment)
        try await pay(again)
        try await submit(payment, and: again, atOnce: script.number.isMultiple(of: 2))
    }

    /// The other device may be the first; whoever bought has the goods, and once.
    private func restore(_ payment: Payment, _ again: Payment) async throws {
        try await pay(payment)
        context.note { $0.noteRestoring(again.id, of: payment.id) }
        var line = JournalLine(.restored, again)
        line.originalTransactionId = payment.transactionId
        line.owner = context.buyers[script.buyer]
        line.submitter = context.buyers[again.submitter]
        try await context.journal.add(line)
        try await submit(payment, and: again, atOnce: script.restoresAtOnce)
    }

    private func die(_ payment: Payment) async throws {
        try await pay(payment)
        let start = WallClock.microseconds
        let life = Duration.milliseconds(script.lifeMilliseconds)
        let answer = await withTaskGroup(of: VerdictAnswer?.self) { group in
            group.addTask {
                if case .answered(let answer) = await attempt(payment) { answer } else { nil }
            }
            group.addTask {
                do { try await Task.sleep(for: life) } catch {}
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        if let answer {
            try await accept(answer, payment, since: start)
        } else if script.comesBack {
            try await submit(payment, since: start)
        }
    }

    // MARK: Submission

    func attempt(_ payment: Payment) async -> Reply<VerdictAnswer> {
        await .of {
            try await client.submit(
                context.buyers[payment.submitter],
                proof: payment.proof,
                kind: payment.kind,
                order: payment.hint,
                intent: payment.isRestore ? "restore" : nil,
                wait: Self.waitMilliseconds
            )
        }
    }

    /// Submits both, the second one after the first has its verdict unless `atOnce`.
    private func submit(_ payment: Payment, and again: Payment, atOnce: Bool) async throws {
        let start = WallClock.microseconds
        guard atOnce else {
            try await submit(payment, since: start)
            try await submit(again, since: WallClock.microseconds)
            return
        }
        async let one = submit(payment, since: start)
        async let other = submit(again, since: start)
        _ = try await (one, other)
    }

    /// Whether the phone was told that it is granted.
    @discardableResult
    func submit(_ payment: Payment, since start: Int64) async throws -> Bool {
        try await handIn(payment, since: start) == .granted
    }

    /// What the phone was told in the end; nil where it had no answer at all.
    func handIn(_ payment: Payment, since start: Int64) async throws -> Audit.Meaning? {
        guard let answer = try await context.retry({ await attempt(payment) }) else { return nil }
        return try await accept(answer, payment, since: start)
    }

    /// Relies on the acknowledgement once it is in the journal, and asks on if it was not final.
    @discardableResult
    private func accept(
        _ answer: VerdictAnswer,
        _ payment: Payment,
        since submitted: Int64
    ) async throws -> Audit.Meaning {
        guard answer.verdict != "parked" || answer.reason != "untrusted" else { throw WrongUse.untrustedRoot }
        // The phone's own journal is no part of the latency.
        var start = submitted + (try await write(.accepted, answer, payment, since: submitted))
        context.note { $0.noteAcknowledgement(payment.id) }
        var answer = answer
        var meaning = try await judge(answer, payment, since: start)
        while meaning == .askAgain, !script.givesUp, !context.schedule.isOver {
            let receipt = answer.receiptId
            let next: VerdictAnswer? = try await context.retry {
                await .of { try await client.verdict(receipt, wait: Self.waitMilliseconds) }
            }
            guard let next else { break }
            answer = next
            if answer.finish { start += try await write(.answered, answer, payment, since: submitted) }
            meaning = try await judge(answer, payment, since: start)
        }
        return meaning
    }

    /// Returns how long it took, in µs.
    private func write(
        _ event: JournalLine.Event,
        _ answer: VerdictAnswer,
        _ payment: Payment,
        since start: Int64
    ) async throws -> Int64 {
        let begin = WallClock.microseconds
        var line = JournalLine(event, payment)
        line.receiptId = answer.receiptId
        line.verdict = answer.verdict
        line.sentAt = start
        try await context.journal.add(line)
        return WallClock.microseconds - begin
    }

    /// Checks what the phone is told; what it means to the phone.
    @discardableResult
    private func judge(
        _ answer: VerdictAnswer,
        _ payment: Payment,
        since start: Int64?
    ) async throws -> Audit.Meaning {
        let isStranger = payment.submitter != script.buyer && !payment.isRestore
        let meaning = context.note { $0.note(answer, to: payment.id, isStranger: isStranger) }
        guard meaning == .granted else { return meaning }
        if let start, !payment.isRestore {
            let microseconds = WallClock.microseconds - start
            context.note { $0.noteGrant(microseconds: microseconds) }
        }
        if script.isSampled { try await compareWithLedger(payment) }
        return meaning
    }

    private func compareWithLedger(_ payment: Payment) async throws {
        let reply: Void? = try await context.retry { await context.readLedger(of: payment.submitter) }
        guard reply != nil else { return }
        context.note { $0.compareWithLedger(payment.id, isMove: payment.isRestore) }
    }
}
