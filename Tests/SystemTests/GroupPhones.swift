import Contracts
import Domain
import Foundation
import TestKit

@testable import Delivery
@testable import Receipts

/// The phones of the two buyers, and Apple.
extension GroupSimulation {
    /// How often a phone asks about one receipt at most.
    private static let polls = 4
    /// How long somebody waits for what comes before, in ms, before looking again.
    private static let patience: Int64 = 60

    func submit(_ number: Int) {
        let stated = variant == .acknowledgesEarly ? nil : statedTransaction(of: script.submissions[number])
        submit(number, as: stated)
    }

    private func submit(_ number: Int, as stated: TransactionID?) {
        let submission = script.submissions[number]
        guard submission.receipt == nil, !submission.isDead else { return }
        if case .transactions(let parts) = submission.content,
            hears(of: parts.map(\.0), isPatient: submission.isPatient)
        {
            return schedule(after: Self.patience) { $0.submit(number, as: stated) }
        }
        let request = ReceiptSubmitV1(
            bundleId: GroupWorld.app,
            buyerId: submission.buyer,
            orderId: hint(submission.hint),
            kind: submission.kind,
            proof: proof(submission),
            originalTransactionId: stated,
            intent: submission.isRestore ? .restore : nil,
            purchasedBy: variant == .ignoresPurchaser ? nil : submission.purchasedBy
        )
        guard let owner = request.route.owner(of: GroupWorld.partitions) else { return }
        let identifier = ask(request, of: owner) {
            $0.submitAgain(number)
        } answered: {
            if case .stored(let receipt) = $1 { return $0.acknowledge(number, receipt) }
            $0.counts.count(GroupPlace.passedOn)
            // As the gateway does.
            $0.submit(number, as: nil)
        }
        if variant == .acknowledgesEarly, random.happens(perMille: 30) {
            acknowledgeEarly(number, identifier)
        }
        guard hasFaults, random.happens(perMille: 80) else { return }
        fault(.relaunch)
        schedule(after: random.within(50...800)) { $0.submit(number) }
    }

    /// What the gateway reads in a proof: a JWS states one transaction; now and then one that is not in it.
    private func statedTransaction(of submission: GroupSubmission) -> TransactionID? {
        guard submission.kind == .signedTransaction, case .transactions(let parts) = submission.content,
            let part = parts.first
        else { return nil }
        if random.happens(perMille: 30) { return TransactionID(unchecked: "another") }
        return script.transactions[part.0].chain(part.1)
    }

    /// A phone that had no answer may die of it.
    private func submitAgain(_ number: Int) {
        guard hasFaults, random.flip() else { return submit(number) }
        fault(.phoneDies)
        script.submissions[number].isDead = true
    }

    private func hint(_ hint: GroupHint) -> String? {
        switch hint {
        case .none: nil
        case .order(let order): script.orders[order].id?.rawValue
        case .text(let text): text
        }
    }

    private func proof(_ submission: GroupSubmission) -> String {
        switch submission.content {
        case .text(let text): text
        case .transactions(let parts):
            String(decoding: bytes(parts.map { signed($0.0, $0.1) }), as: UTF8.self)
                + (submission.isStale ? GroupProofReader.stale : "")
                + (submission.saysNoBuyer ? GroupProofReader.bare : "")
        }
    }

    func signed(_ number: Int, _ facts: GroupFacts) -> SignedTransaction {
        let transaction = script.transactions[number]
        let token: String? =
            switch transaction.token {
            case .none: nil
            // Apple may change the case.
            case .order(let order): script.orders[order].id?.rawValue.uppercased()
            case .own(let token, _): token.uuidString.lowercased()
            case .garbage(let token): token
            }
        return transaction.signed(facts, token: token)
    }

    /// A phone that was told 2xx never hands its proof in again.
    private func acknowledge(_ number: Int, _ receipt: ReceiptID) {
        guard script.submissions[number].receipt == nil else { return }
        counts.count(receipt.place == receipt.shard ? GroupPlace.withItsBuyer : .besideItsClaim)
        script.submissions[number].receipt = receipt
        ask(number)
    }

    /// What no gateway may do: the phone believes that its proof is kept.
    private func acknowledgeEarly(_ number: Int, _ request: String) {
        let submission = script.submissions[number]
        let proof = Proof(kind: submission.kind, text: proof(submission))
        gateway.pending[request] = nil
        acknowledge(number, ReceiptID(bundleID: GroupWorld.app, buyer: submission.buyer, proof: proof))
    }

    private func ask(_ number: Int) {
        guard let receipt = script.submissions[number].receipt else { return }
        let wait = random.pick([0, 200, 1_500])
        let question = VerdictWaitV1(bundleId: GroupWorld.app, receiptId: receipt, wait: wait)
        askForVerdict(question, submission: number) {
            $0.ask(number)
        } answered: {
            $0.receiveVerdict($1, number)
        }
    }

    private func receiveVerdict(_ verdict: ReceiptVerdictV1, _ number: Int) {
        counts.count(verdict.verdict)
        script.submissions[number].polls += 1
        guard !verdict.finish, script.submissions[number].polls < Self.polls else { return }
        schedule(after: random.within(100...2_000)) { $0.ask(number) }
    }

    /// Checks what a phone is about to be answered, at that moment.
    func checkReply(_ message: WireMessage) {
        guard let reply = message.header.reply, let body = message.body.first,
            let number = gateway.pending[reply.id]?.submission
        else { return }
        attempt("a verdict could not be judged", else: ()) {
            let verdict = try JSONDecoder().decode(ReceiptVerdictV1.self, from: Data(body))
            try GroupVerdictChecker(simulation: self).check(verdict, script.submissions[number])
        }
    }

    // MARK: Apple

    func state(_ number: Int) {
        let statement = script.statements[number]
        guard !hears(of: [statement.transaction], isPatient: statement.isPatient) else {
            return schedule(after: Self.patience) { $0.state(number) }
        }
        apple.list(number, at: moment.now)
        guard !statement.isMissed else {
            if hasFaults { fault(.missedStatement) }
            return
        }
        let transaction = script.transactions[statement.transaction]
        let chain = transaction.chain(statement.facts)
        let shard = PartitionKey.chain(chain, of: transaction.bundle).shard
        let address = PartitionAddress(.receipts, shard.partition(of: GroupWorld.partitions))
        partitions[address]?.statements.append(number)
        wake(address, after: 0)
    }

    func statementBytes(_ number: Int) -> [UInt8] {
        let statement = script.statements[number]
        let signed = signed(statement.transaction, statement.facts)
        let event = Event(
            id: EventID(unchecked: "statement-\(number)"),
            source: "/appstore",
            time: moment.now,
            subject: "\(signed.bundleId)/\(signed.originalTransactionId)",
            data: TransactionVerifiedV1(
                transaction: [.prefersTokens, .ignoresReplaced].contains(variant)
                    ? signed.asRead(variant) : signed,
                renewal: statement.renewal
            )
        )
        return bytes(event)
    }
}
