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

    init() throws {
        group = try ReceiptsGroup()
        group.apple = try AskedApple().settings([])
        group.policies[Sample.app] = Sample.policy(apis: [])
    }

    private func submit(
        _ count: Int,
        _ proof: String = "long",
        by buyer: BuyerID = Sample.alice
    ) throws -> (outcome: RequestOutcome<ReceiptSubmittedV1>, sent: [OutgoingEvent]) {
        let many = (0..<count).map { Sample.transaction("\(10_000 + $0)", purchased: Int64($0)) }
        group.proofs.contents[proof] = .success(many)
        return try group.submit(proof, by: buyer)
    }

    private func verified(_ sent: [OutgoingEvent]) throws -> [String] {
        try sent.bodies(TransactionVerifiedV1.self).map(\.transaction.transactionId)
    }

    private func waiting(_ partition: Int) throws -> Int {
        try group.rows("SELECT 1 FROM submission_part", partition: partition).count
    }

    @Test func `is worked off 500 a commit, in its order, and told to the phone as a whole`() async throws {
        let (outcome, sent) = try submit(17_000)
        #expect(outcome.reply?.receiptId != nil)
        var commits = [sent]
        while try waiting(home) > 0 {
            let (jobs, sent, _) = try await group.askApple(home)
            #expect(jobs == ["parts"])
            commits.append(sent)
        }
        #expect(commits.count == 34)
        #expect(try commits.allSatisfy { try verified($0).count <= SubmissionPart.maximumTransactions })
        #expect(try commits.flatMap(verified) == (0..<17_000).map { "\(10_000 + $0)" })
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
        var sent = try verified(submit(1_600).sent)
        while try waiting(home) > 0 {
            let before = try waiting(home)
            #expect(throws: Died.self) {
                try group.run(home) { context in
                    try SubmissionPartTurns().run(in: &context)
                    throw Died()
                }
            }
            #expect(try waiting(home) == before)
            sent += try await verified(group.askApple(home).sent)
        }
        #expect(sent == (0..<1_600).map { "\(10_000 + $0)" })
        #expect(try await group.askApple(home).jobs.isEmpty)
    }

    @Test func `names the request as the cause of what its later parts send`() async throws {
        group.proofs.contents["long"] = .success(
            (0..<501).map { Sample.transaction("\(10_000 + $0)", purchased: Int64($0)) }
        )
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
        while try waiting(home) > 0 { _ = try await group.askApple(home) }
        #expect(try verified(submit(1_200).sent).count == 500)
        #expect(try waiting(home) == 2)
    }

    @Test func `is not taken while too many parts wait, and a short one is`() throws {
        func submit(
            _ count: Int,
            from first: Int,
            by buyer: BuyerID
        ) throws -> RequestOutcome<ReceiptSubmittedV1> {
            let proof = "\(count) of \(buyer)"
            group.proofs.contents[proof] = .success(
                (0..<count).map { Sample.transaction("\(first + $0)", purchased: Int64($0)) }
            )
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
        #expect(
            try submit(SubmissionPart.maximumWaiting + 1, from: 1_000, by: Sample.alice).reply?.receiptId
                != nil
        )
        #expect(try submit(2, from: 2_000, by: Sample.bob).refusal?.code == .busy)
        #expect(try waiting(home) == SubmissionPart.maximumWaiting)
        #expect(try submit(1, from: 3_000, by: Sample.bob).reply?.receiptId != nil)
    }
}
