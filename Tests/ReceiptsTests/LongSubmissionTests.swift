import Contracts
import Database
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

@Suite struct `a submission of thousands of transactions` {
    private struct Died: Error {}
    private struct Cause: Decodable, Equatable { let causationid: String? }

    let group: ReceiptsGroup
    let home = ReceiptsGroup.partition(of: Sample.alice)

    init() throws { (group, _) = try ReceiptsGroup.asking([]) }

    private static func many(_ count: Int, from first: Int = 10_000) -> [SignedTransaction] {
        (0..<count).map { Sample.transaction("\(first + $0)", purchased: Int64($0)) }
    }

    private func submit(
        _ count: Int,
        _ proof: String = "long",
        hint: String? = nil,
        intent: Submission.Intent? = nil
    ) throws -> (outcome: RequestOutcome<ReceiptSubmittedV1>, sent: [OutgoingEvent]) {
        group.proofs.contents[proof] = .success(Self.many(count))
        return try group.submit(proof, by: Sample.alice, hint: hint, intent: intent)
    }

    /// Hands a proof in of which the first part is sent, and the others wait.
    private func handIn(_ proof: String, parts: Int) throws -> ReceiptID {
        try #require(try submit(parts * group.transactionsPerPart, proof).outcome.reply?.receiptId)
    }

    /// Lets all parts be sent that wait.
    private func sendParts() async throws -> [OutgoingEvent] {
        var sent: [OutgoingEvent] = []
        while try waiting(home) > 0 { sent += try await group.askApple(home).sent }
        return sent
    }

    private func waiting(_ partition: Int) throws -> Int {
        try group.rows("SELECT 1 FROM submission_part", partition: partition).count
    }

    @Test func `is worked off 500 a commit, in its order, and told to the phone as a whole`() async throws {
        let (outcome, sent) = try submit(17_000)
        let receipt = try #require(outcome.reply?.receiptId)
        var commits = [sent]
        while try waiting(home) > 0 {
            let (jobs, sent, _) = try await group.askApple(home)
            #expect(jobs == ["parts/\(receipt)"])
            commits.append(sent)
        }
        #expect(commits.count == 34)
        #expect(try commits.allSatisfy { try $0.verified.count <= SubmissionPart.maximumTransactions })
        #expect(try commits.flatMap { try $0.verified } == (0..<17_000).map { "\(10_000 + $0)" })
        let accepted = try commits.flatMap { try $0.bodies(ReceiptAcceptedV1.self) }
        let size = SubmissionAssessment.transactionsPerMessage
        #expect(accepted.map { $0.offset ?? 0 } == Array(stride(from: 0, to: 17_000, by: size)))
        #expect(accepted.dropLast().allSatisfy { $0.verdict == .pending })
        #expect(accepted.last?.verdict == nil)
        #expect(accepted.map(\.transactions.count).reduce(0, +) == 17_000)
    }

    @Test func `loses no part and sends none twice when the process dies between two, or in one`()
        async throws
    {
        let first = try submit(1_600)
        let receipt = try #require(first.outcome.reply?.receiptId)
        var sent = try first.sent.verified
        while try waiting(home) > 0 {
            let before = try waiting(home)
            #expect(throws: Died.self) {
                try group.run(home) { context in
                    try SubmissionPartTurns().run("parts/\(receipt.rawValue)", in: context)
                    throw Died()
                }
            }
            #expect(try waiting(home) == before)
            sent += try await group.askApple(home).sent.verified
        }
        #expect(sent == (0..<1_600).map { "\(10_000 + $0)" })
        #expect(try await group.askApple(home).jobs.isEmpty)
    }

    @Test func `names the request as the cause of what its later parts send`() async throws {
        group.proofs.contents["long"] = .success(Self.many(501))
        _ = try group.submit("long", request: EventID(unchecked: "first"))
        let sent = try await group.askApple(home).sent
        let causes = try sent.map { try EventDecoder().decode(Cause.self, from: $0.bytes) }
        #expect(causes == [Cause(causationid: "first"), Cause(causationid: "first")])
    }

    @Test func `waits with its parts when it is handed in again, and travels again afterwards`() async throws
    {
        _ = try submit(1_200)
        let (again, sent) = try submit(1_200)
        #expect(again.reply?.receiptId != nil && sent.isEmpty)
        #expect(try waiting(home) == 2)
        _ = try await sendParts()
        #expect(try submit(1_200).sent.verified.count == 500)
        #expect(try waiting(home) == 2)
    }

    @Test func `says behind its waiting parts that it restores, or is for another order, each once`()
        async throws
    {
        group.transactionsPerPart = 2
        _ = try submit(5, hint: "one")
        let news: [(hint: String?, intent: Submission.Intent?, waiting: Int)] = [
            ("one", nil, 2), (nil, nil, 2), ("one", .restore, 5), ("one", .restore, 5), ("two", .restore, 8),
            ("two", .restore, 8),
        ]
        for (hint, intent, parts) in news {
            let (outcome, sent) = try submit(5, hint: hint, intent: intent)
            #expect(outcome.reply?.receiptId != nil && sent.isEmpty)
            #expect(try waiting(home) == parts)
        }
        let told = try await sendParts().bodies(TransactionVerifiedV1.self)
        for hint in ["one", "two"] {
            let restored = told.filter { $0.submission?.orderId == hint && $0.submission?.intent == .restore }
            #expect(restored.map(\.transaction.transactionId) == (0..<5).map { "\(10_000 + $0)" })
        }
        #expect(told.count == 3 + 5 + 5)
    }

    @Test func `says so also where it is judged and not stored`() async throws {
        group.transactionsPerPart = 2
        _ = try submit(3, "stored")
        for number in 0..<SubmissionQuota.maximumCount {
            group.proofs.contents["parked \(number)"] = .failure(.untrusted)
            _ = try group.submit("parked \(number)", by: Sample.alice)
        }
        _ = try await sendParts()
        #expect(try submit(3, "forwarded").sent.bodies(TransactionVerifiedV1.self).count == 2)
        #expect(try submit(3, "forwarded", intent: .restore).sent.isEmpty)
        let told = try await sendParts().bodies(TransactionVerifiedV1.self)
        #expect(told.map(\.submission?.intent) == [nil, .restore, .restore, .restore])
        let stored = try group.rows("SELECT 1 FROM submission", partition: home)
        #expect(stored.count == SubmissionQuota.maximumCount + 1)
    }

    @Test func `takes turns with others, and lets one that comes later begin where they are`() async throws {
        group.transactionsPerPart = 1
        let (first, second) = (try handIn("first", parts: 4), try handIn("second", parts: 3))
        var turns = try await group.askApple(home).jobs
        let third = try handIn("third", parts: 2)
        while try waiting(home) > 0 { turns += try await group.askApple(home).jobs }
        #expect(turns == [first, second, first, second, third, first].map { "parts/\($0)" })
    }

    @Test func `is sent on while as much is asked of Apple as may be`() throws {
        group.apple = try AskedApple().settings([.serverAPI])
        group.policies[Sample.app] = Sample.policy(apis: [.serverAPI])
        group.proofs.contents["asked"] = .failure(.unverified)
        _ = try group.submit("asked", by: Sample.alice, kind: .transactionReceipt)
        group.transactionsPerPart = 1
        let receipt = try handIn("long", parts: 2)
        #expect(try group.due("/proof/", home).count == 1)
        let left = try group.due("/", home, limit: AppleWorker.reserved)
        #expect(left.map(\.key) == ["parts/\(receipt)"])
        #expect(try group.due("/", home, limit: AppleWorker.reserved + 1).count == 2, "and one call")
    }

    @Test(arguments: ["nothing", "too much"])
    func `that nobody can send waits for the operator alone, and the others go on`(part: String) throws {
        group.transactionsPerPart = 1
        let (bad, good) = (try handIn("bad", parts: 2), try handIn("good", parts: 2))
        var content = "no JSON"
        if part == "too much" {
            var large = Sample.transaction("1")
            large.productId = String(repeating: "p", count: TransactionVerifiedV1.maximumBytes)
            let event = TransactionVerifiedV1(transaction: large)
            content = try JSONColumn.text(SubmissionPart(verified: [event]))
        }
        let change: SQL = "UPDATE submission_part SET content = \(content) WHERE receipt_id = \(bad)"
        try group.execute(change, in: home)
        let item = try #require(try group.due("parts/", home).first)
        #expect(item.key == "parts/\(bad)")
        #expect(throws: (any Error).self) { try group.finish(item, [], home) }
        let timer = try #require(item.timer)
        #expect(group.service.timers[timer].parksFailure)
        let next = try group.due("parts/", home, excluding: [item.key])
        #expect(next.map(\.key) == ["parts/\(good)"])
        let sent = try group.finish(try #require(next.first), [], home).sent
        #expect(try sent.verified == ["10001"])
        #expect(try group.due("parts/", home, excluding: [item.key]).isEmpty)
        #expect(try waiting(home) == 1, "its part stays")
    }

    @Test func `is not taken while too many parts wait, and a short one is`() throws {
        func submit(
            _ count: Int,
            from first: Int,
            by buyer: BuyerID
        ) throws -> RequestOutcome<ReceiptSubmittedV1> {
            let proof = "\(count) of \(buyer)"
            group.proofs.contents[proof] = .success(Self.many(count, from: first))
            var workflow = group.service.submissions
            workflow.transactionsPerPart = 1
            let handler = OnReceiptSubmit(workflow: workflow)
            let body = ReceiptSubmitV1(
                bundleId: Sample.app,
                buyerId: buyer,
                orderId: nil,
                kind: .appReceipt,
                proof: proof
            )
            return try group.handle(body, in: home, id: nil, handler.callAsFunction).outcome
        }
        let other = try submit(SubmissionPart.maximumWaiting + 1, from: 1_000, by: Sample.alice)
        #expect(other.reply?.receiptId != nil)
        #expect(try submit(2, from: 2_000, by: Sample.bob).refusal?.code == .busy)
        #expect(try waiting(home) == SubmissionPart.maximumWaiting)
        #expect(try submit(1, from: 3_000, by: Sample.bob).reply?.receiptId != nil)
    }
}
