import Contracts
import Domain
import Testing

/// Rows of compensations, beside what Receipts know of their purchases.
@Suite struct `Compensations in lists` {
    private static let app = BundleID(unchecked: "com.example.game")
    private static let transaction = TransactionID(unchecked: "2000000812345678")

    private static func row(_ kind: DeskPage.Kind, naming transactions: [TransactionID]?) -> DeskPage.Row {
        let id = ProposalID(.compensation, shard: Shard(rawValue: 5), digest: Array(repeating: 7, count: 14))
        return DeskPage.Row(
            kind: kind,
            place: DeskPage.Place(since: DeskSample.minute(1), key: id.rawValue),
            bundleId: app,
            environment: .production,
            buyerId: BuyerID(unchecked: "bob"),
            productId: ProductID(unchecked: "coins.120"),
            quantity: 1,
            proposalId: id,
            basis: .appleOrder,
            appleOrderId: AppleOrderID(unchecked: "MQ5LB2JHXY"),
            transactionIds: transactions,
            reason: "ticket 4711"
        )
    }

    /// Entitlements have the row, and Receipts the purchase.
    private struct Group: DeskAsker {
        let row: DeskPage.Row
        let facts: [DeskFact]
        var hasMore = false
        let everywhere = [PartitionAddress(.receipts, 0), PartitionAddress(.entitlements, 0)]

        @concurrent func answer<Question: RequestContract>(
            to question: Question,
            of partition: PartitionAddress
        ) async -> Question.Reply? {
            switch question {
            case is DeskListV1:
                let rows = partition.service == .entitlements ? [row] : []
                return DeskPage(rows: rows, hasMore: hasMore) as? Question.Reply
            case is FactsFindV1: return FoundFacts(facts: facts) as? Question.Reply
            case _: return nil
            }
        }
    }

    private static func purchase(
        _ kind: DeskFact.Kind,
        of buyer: String? = nil,
        product: String = "coins.120"
    ) -> DeskFact {
        var fact = DeskFact(kind, at: DeskSample.minute(3))
        (fact.bundleId, fact.environment, fact.transactionId) = (app, .production, transaction)
        (fact.purchaseId, fact.buyerId) = (PurchaseID(transaction), buyer.map(BuyerID.init(unchecked:)))
        fact.productId = ProductID(unchecked: product)
        return fact
    }

    private static func listing(
        _ kind: DeskPage.Kind,
        naming transactions: [TransactionID]? = [transaction],
        _ facts: [DeskFact]
    ) async -> DeskListing? {
        let list: DeskList = kind == .contestedCompensation ? .held : .proposals
        let group = Group(row: row(kind, naming: transactions), facts: facts)
        let question = DeskListV1(list: list, before: nil, after: nil, limit: 9)
        let listed = await DeskLists(group).page(question)
        return listed.rows.first.map { DeskListing($0, in: .english, now: DeskSample.now) }
    }

    @Test(arguments: [DeskPage.Kind.proposedCompensation, .contestedCompensation])
    func `lead to the assignment of their orphan, and name its buyer`(kind: DeskPage.Kind) async throws {
        let listing = try #require(await Self.listing(kind, [Self.purchase(.orphan)]))
        #expect(listing.help.contains("counterfoil assign 2000000812345678 --buyer bob"), "\(listing.help)")
    }

    @Test(arguments: [DeskPage.Kind.proposedCompensation, .contestedCompensation])
    func `lead to their end where another buyer has their purchase`(kind: DeskPage.Kind) async throws {
        let listing = try #require(await Self.listing(kind, [Self.purchase(.held, of: "carol")]))
        #expect(listing.help.contains("counterfoil reverse c0005"), "\(listing.help)")
        #expect(listing.holderId == BuyerID(unchecked: "carol"))
        if kind == .contestedCompensation {
            #expect(listing.why == "another buyer, carol, has its purchase")
        }
    }

    @Test func `are confirmed where nothing of their purchase is known, or their buyer has it`() async throws
    {
        for facts in [[], [Self.purchase(.held, of: "bob")]] {
            let listing = try #require(await Self.listing(.proposedCompensation, facts))
            #expect(listing.help.contains("counterfoil confirm c0005"), "\(listing.help)")
            #expect(listing.offer?.contains("transactions 2000000812345678") == true)
        }
    }

    @Test func `leave a page short that another one follows where nobody contests them any more`() async {
        let row = Self.row(.contestedCompensation, naming: [Self.transaction])
        let group = Group(row: row, facts: [Self.purchase(.held, of: "bob")], hasMore: true)
        let listed = await DeskLists(group).page(.init(list: .held, before: nil, after: nil, limit: 1))
        #expect(listed.rows.isEmpty && listed.next == row.place)
    }

    @Test func `are held up only where another buyer, or nobody, has their purchase`() async throws {
        for facts in [[], [Self.purchase(.held, of: "bob")], [Self.purchase(.awaitsApple)]] {
            #expect(await Self.listing(.contestedCompensation, facts) == nil)
        }
        let two = [Self.transaction, TransactionID(unchecked: "8")]
        let other = [Self.purchase(.held, of: "carol", product: "castle")]
        #expect(await Self.listing(.contestedCompensation, naming: two, other) == nil)
        let order = try #require(await Self.listing(.contestedCompensation, naming: nil, []))
        #expect(order.help.contains("counterfoil reverse c0005"))
        #expect(order.why == "another buyer has its purchase")
    }
}
