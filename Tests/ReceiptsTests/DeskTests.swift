import Contracts
import Database
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

@Suite struct `claims at the desk` {
    private let group = ReceiptsGroup()
    private static let account = "704289572311450001"

    private static func transaction(_ id: String) -> SignedTransaction {
        var signed = Sample.transaction(id)
        (signed.appTransactionId, signed.price, signed.currency) = (account, 990, "USD")
        return signed
    }

    private func answers<Question: RequestContract>(
        _ question: Question,
        _ handler: (Event<Question>, HandlerContext) throws -> RequestOutcome<Question.Reply>
    ) throws -> [Question.Reply] {
        try (0..<ReceiptsGroup.partitions).map { partition in
            try #require(group.handle(question, in: partition, handler).outcome.reply)
        }
    }

    private func find(_ text: String) throws -> [DeskFact] { try look(for: text).facts }

    private func look(for text: String) throws -> (facts: [DeskFact], isCut: Bool) {
        let question = FactsFindV1(texts: [text], bundleIds: [Sample.app])
        let found = try answers(question, OnFactsFind().callAsFunction)
        return (found.flatMap(\.facts), found.contains(where: \.isCut))
    }

    private func list(_ list: DeskList) throws -> [DeskPage.Row] {
        let question = DeskListV1(list: list, before: nil, after: nil, limit: 50)
        return try answers(question, OnDeskList().callAsFunction).flatMap(\.rows)
    }

    @Test func `say who holds a purchase, by which evidence, and what was paid`() throws {
        try group.verifyAndHold(Self.transaction("1"))
        let facts = try find("1")
        #expect(facts.map(\.kind).contains(.held) && facts.map(\.kind).contains(.bought))
        let bought = try #require(facts.first { $0.kind == .bought })
        #expect(bought.price == 990 && bought.account == Self.account)
        #expect(facts.first { $0.kind == .held }?.buyerId == Sample.holder.buyer)
        #expect(try find("99").isEmpty)
    }

    @Test func `list an orphan with what was paid, and know who has bought with its account`() throws {
        try group.verifyAndHold(Self.transaction("1"))
        _ = try group.verify(Self.transaction("3"))
        let rows = try list(.orphans)
        #expect(rows.map(\.purchaseId?.rawValue) == ["3"])
        #expect(rows[0].price == 990 && rows[0].account == Self.account)
        let question = FactsFindV1(texts: [], bundleIds: [], accounts: [Self.account])
        let buyers = try answers(question, OnFactsFind().callAsFunction).flatMap(\.buyers)
        #expect(buyers.map(\.buyerId) == [Sample.holder.buyer])
        #expect(try list(.held).isEmpty && list(.parked).isEmpty)
    }

    @Test func `say in both languages why a proof or a notification is not taken`() {
        let words = ProofFailure.allCases.map(\.rawValue) + AppPolicy.Obstacle.allCases.map(\.rawValue)
        for word in words { #expect(DeskWords.known[.proofParked]?[word] != nil, "\(word)") }
    }

    @Test func `list what is parked until somebody decides`() throws {
        _ = try group.submit("receipt", kind: .appReceipt)
        for partition in 0..<ReceiptsGroup.partitions {
            try group.execute("UPDATE submission SET state = 'parked', reason = 'wrongApp'", in: partition)
        }
        let rows = try list(.parked)
        #expect(rows.map(\.kind) == [.parkedProof] && rows[0].reason == "wrongApp")
        #expect(try find(Sample.alice.rawValue).map(\.kind).contains(.proofParked))
    }

    @Test func `of one subscription are found up to the newest 20, and the answer says where there are more`()
        throws
    {
        func renew(_ numbers: Range<Int>) throws {
            for number in numbers {
                let signed = Sample.transaction(
                    "\(100 + number)",
                    original: "7",
                    type: "Auto-Renewable Subscription",
                    purchased: Int64(number) * 100
                )
                _ = try group.verify(signed.with(\.webOrderLineItemId, "\(number)"))
            }
        }
        func look() throws -> (periods: Set<String?>, isCut: Bool) {
            let found = try self.look(for: "7")
            let bought = found.facts.filter { $0.kind == .bought }
            return (Set(bought.map(\.purchaseId?.rawValue)), found.isCut)
        }
        try renew(0..<20)
        let all = try look()
        #expect(all.periods.count == 20 && !all.isCut)
        try renew(20..<21)
        let newest = try look()
        #expect(newest.periods.count == 20 && newest.isCut)
        #expect(newest.periods.isSuperset(of: ["7:1", "7:20"]) && !newest.periods.contains("7:0"))
    }

    @Test func `that a proof names are found up to the newest 20, and the answer says where there are more`()
        throws
    {
        _ = try group.submit("receipt", kind: .appReceipt)
        func look(_ count: Int) throws -> (related: Set<String>, isCut: Bool) {
            let ids = (1...count).map(String.init)
            let list = ids.joined(separator: " ")
            for partition in 0..<ReceiptsGroup.partitions {
                try group.execute("UPDATE submission SET transaction_ids = \(list)", in: partition)
            }
            let question = FactsFindV1(texts: [Sample.alice.rawValue], bundleIds: [Sample.app])
            let found = try answers(question, OnFactsFind().callAsFunction)
            return (Set(found.flatMap(\.related)).intersection(ids), found.contains(where: \.isCut))
        }
        let all = try look(20)
        #expect(all.related.count == 20 && !all.isCut)
        let newest = try look(21)
        #expect(newest.related == Set((2...21).map(String.init)) && newest.isCut)
    }

    @Test
    func `that name no purchase are found up to ten of a buyer, and the answer says where there are more`()
        throws
    {
        func submit(_ numbers: Range<Int>) throws {
            for number in numbers { _ = try group.submit("garbage \(number)", by: Sample.alice) }
        }
        func look() throws -> (proofs: Set<ReceiptID?>, isCut: Bool) {
            let found = try self.look(for: Sample.alice.rawValue)
            return (Set(found.facts.map(\.receiptId)), found.isCut)
        }
        try submit(0..<10)
        let all = try look()
        #expect(all.proofs.count == 10 && !all.isCut)
        try submit(10..<11)
        let some = try look()
        #expect(some.proofs.count == 10 && some.isCut)
    }

    @Test func `are listed by indexes led by their time, and found by index`() throws {
        let question = DeskListV1(list: .orphans, before: Sample.start, after: nil, limit: 50)
        let lists =
            [
                ListedClaims.orphans(question), ParkedProofs.proofs(question),
                ParkedProofs.notifications(question),
            ]
            + ListedClaims.heldUp(question)
        for query in lists {
            let plan = try group.plan(of: query)
            let reads = plan.count == 1 && plan[0].hasPrefix("SEARCH")
            #expect(reads && plan[0].contains(")>("), "a page reads its own entries alone: \(plan)")
            #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "and sorts nothing: \(plan)")
        }
        let others: [SQL] = [
            "SELECT * FROM account_buyer WHERE account = 'x' LIMIT 1",
            "SELECT * FROM apple_order WHERE apple_order_id = 'x'",
            "SELECT * FROM apple_order_proposal WHERE apple_order_id = 'x' AND bundle_id = 'y'",
            "SELECT type FROM server_notification WHERE transaction_id = 'x'",
        ]
        for query in others {
            let plan = try group.plan(of: query)
            #expect(!plan.contains { $0.hasPrefix("SCAN") }, "\(plan)")
        }
        for table in ["claim", "submission"] {
            let searches: [SQL] = [
                ToldClaims.query(PurchaseID(unchecked: "1")),
                ToldClaims.periods(of: PurchaseID(unchecked: "1")),
                "SELECT receipt_id FROM submission WHERE \(ReceiptFacts.undecided(of: "x", in: Sample.app))",
            ]
            for query in searches {
                let plan = try group.plan(of: query)
                let isBare = plan.contains { $0.hasPrefix("SCAN \(table)") && !$0.contains("INDEX") }
                #expect(!isBare, "\(plan)")
            }
        }
    }
}

@Suite struct `a question about Apple's order` {
    private static let asked = Sample.start

    @Test func `is asked once a minute until Apple knows the order, then never again`() {
        typealias Question = AppleOrderQuestion
        let (soon, later) = (Self.asked.advanced(by: 59_999), Self.asked.advanced(by: 60_000))
        let known = [TransactionID(unchecked: "1")]
        #expect(Question(askedAt: nil, transactions: nil).isDue(at: soon))
        for transactions in [nil, []] as [[TransactionID]?] {
            let question = Question(askedAt: Self.asked, transactions: transactions)
            #expect(!question.isDue(at: soon) && question.isDue(at: later))
        }
        #expect(!Question(askedAt: Self.asked, transactions: known).isDue(at: later))
    }

    @Test func `is answered by what is known`() {
        typealias Question = AppleOrderQuestion
        #expect(Question(askedAt: Self.asked, transactions: nil).answer.state == .asked)
        #expect(Question(askedAt: Self.asked, transactions: []).answer.state == .unknown)
        let known = [TransactionID(unchecked: "1")]
        #expect(Question(askedAt: Self.asked, transactions: known).answer.transactionIds == known)
    }

    @Test func `delivers the purchases of the order, and notes which they are`() throws {
        let order = try #require(AppleOrderID(rawValue: "mq5lb2jhxy"))
        #expect(order.rawValue == "MQ5LB2JHXY")
        var query = AppleQuery(
            .order(order),
            of: Sample.app,
            to: .serverAPI,
            urgency: .awaited,
            askedAt: Self.asked
        )
        let signed = [Sample.transaction("1")]
        let found = AppleJobResult.found(ProofContents(transactions: signed))
        let directives = query.apply(found, now: Self.asked, apis: [.serverAPI], random: 1)
        #expect(directives == [.note(signed), .deliver(signed), .remove])
        let none = query.apply(AppleJobResult(.unknown), now: Self.asked, apis: [.serverAPI], random: 1)
        #expect(none == [.note([]), .deliver([]), .remove])
        let silent = AppleJobResult(.unavailable)
        #expect(query.apply(silent, now: Self.asked, apis: [.serverAPI], random: 1) == [.save])
    }

    /// A compensation that stands on the order.
    private static func wanted(_ number: UInt8 = 1) -> AppleOrderWantedV1 {
        AppleOrderWantedV1(
            proposalId: ProposalID(
                .compensation,
                shard: Shard(rawValue: 7),
                digest: Array(repeating: number, count: 14)
            ),
            bundleId: Sample.app,
            appleOrderId: AppleOrderID(unchecked: "MQ5LB2JHXY")
        )
    }

    private static let home = wanted().route.owner(of: ReceiptsGroup.partitions)?.partition ?? 0

    private func want(_ group: ReceiptsGroup, _ number: UInt8 = 1) throws -> [AppleOrderNamedV1] {
        let handler = OnAppleOrderWanted(policies: group.policies)
        let (outcome, sent) = try group.handle(
            Self.wanted(number),
            in: Self.home,
            handler.callAsFunction
        )
        #expect(outcome == .applied)
        return try sent.bodies(AppleOrderNamedV1.self)
    }

    @Test func `of a compensation is asked while Apple is down, and tells it before the purchase is granted`()
        async throws
    {
        let (group, apple) = try ReceiptsGroup.asking()
        apple.orders["MQ5LB2JHXY"] = [Sample.transaction("1")]
        apple.mood = .down
        #expect(try want(group).isEmpty)
        #expect(try await group.askApple(Self.home).sent.isEmpty)
        apple.mood = .well
        group.pass(120_000, with: apple)
        let sent = try await group.askApple(Self.home).sent
        #expect(sent.map(\.type) == [AppleOrderNamedV1.type, TransactionVerifiedV1.type])
        let named = try #require(try sent.bodies(AppleOrderNamedV1.self).first)
        #expect(named.proposalId == Self.wanted().proposalId)
        #expect(named.transactionIds == [TransactionID(unchecked: "1")])
        #expect(named.purchaseIds == [PurchaseID(unchecked: "1")])
    }

    @Test func `once answered is found by its transactions, by an index`() async throws {
        let (group, apple) = try ReceiptsGroup.asking()
        apple.orders["MQ5LB2JHXY"] = [Sample.transaction("1")]
        _ = try want(group)
        _ = try await group.askApple(Self.home)
        func found(_ text: String) throws -> [DeskFact] {
            let question = FactsFindV1(texts: [text], bundleIds: [])
            let outcome = try group.handle(question, in: Self.home, OnFactsFind().callAsFunction).outcome
            return try #require(outcome.reply).facts.filter { $0.kind == .appleOrder }
        }
        let byTransaction = try found("1")
        #expect(byTransaction.map(\.detail) == ["MQ5LB2JHXY"])
        #expect(byTransaction.map(\.bundleId) == [Sample.app])
        #expect(try found("MQ5LB2JHXY") == byTransaction, "the same fact, which is told once")
        #expect(try found("2").isEmpty)
        let plan = try group.plan(of: AppleOrderStore.having(TransactionID(unchecked: "1")))
        #expect(!plan.contains { $0.hasPrefix("SCAN") }, "\(plan)")
    }

    @Test func `that Apple answers after it was forgotten tells its compensation all the same`() async throws
    {
        let (group, apple) = try ReceiptsGroup.asking()
        apple.orders["MQ5LB2JHXY"] = [Sample.transaction("1")]
        apple.mood = .down
        _ = try want(group)
        _ = try await group.askApple(Self.home)
        try group.execute("UPDATE apple_order SET asked_at = 0", in: Self.home)
        let sweep = RetentionSweep(retention: ProofRetention())
        _ = try group.run(Self.home) { try sweep.run(RetentionSweep.key, in: $0) }
        #expect(try group.rows("SELECT 1 FROM apple_order", partition: Self.home).isEmpty)
        apple.mood = .well
        group.pass(120_000, with: apple)
        let named = try await group.askApple(Self.home).sent.bodies(AppleOrderNamedV1.self)
        #expect(named.map(\.proposalId) == [Self.wanted().proposalId])
        #expect(try group.rows("SELECT 1 FROM apple_order", partition: Self.home).count == 1)
    }

    @Test func `is answered at once where Apple has named the transactions, and tells every compensation`()
        async throws
    {
        let (group, apple) = try ReceiptsGroup.asking()
        apple.orders["MQ5LB2JHXY"] = [Sample.transaction("1")]
        _ = try want(group)
        _ = try await group.askApple(Self.home)
        let calls = apple.calls.count
        #expect(try want(group, 2).map(\.proposalId) == [Self.wanted(2).proposalId])
        _ = try await group.askApple(Self.home)
        #expect(apple.calls.count == calls, "Apple is asked once")
        let told = try (0..<ReceiptsGroup.partitions).flatMap {
            try group.redrive(from: Self.home, to: .entitlements, $0).sent.bodies(AppleOrderNamedV1.self)
        }
        #expect(Set(told.map(\.proposalId)) == [Self.wanted(1).proposalId, Self.wanted(2).proposalId])
    }

    @Test func `of a compensation waits where nobody can ask, and where Apple knows no such order`()
        async throws
    {
        let group = ReceiptsGroup()
        #expect(try want(group).isEmpty)
        let (asking, _) = try ReceiptsGroup.asking()
        #expect(try want(asking).isEmpty)
        #expect(try await asking.askApple(Self.home).sent.isEmpty)
        #expect(try want(asking, 2).isEmpty)
    }

    @Test(arguments: ["2000000812345678", "short1", "has space1", "waytoolongforanorder1", ""])
    func `is not asked about what is no number of Apple's`(text: String) {
        #expect(AppleOrderID(rawValue: text) == nil)
    }
}
