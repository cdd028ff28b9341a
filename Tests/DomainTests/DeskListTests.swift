import Contracts
import Domain
import Testing

@Suite struct `lists of what waits` {
    private static func row(_ minutes: Int64, _ key: String, _ kind: DeskPage.Kind = .orphan) -> DeskPage.Row
    {
        DeskPage.Row(
            kind: kind,
            place: DeskPage.Place(since: DeskSample.minute(minutes), key: key),
            bundleId: BundleID(unchecked: "com.example.game"),
            environment: .production,
            purchaseId: PurchaseID(unchecked: key),
            price: 990,
            currency: "USD",
            account: "7042"
        )
    }

    /// Partitions with rows of their own, as they answer.
    private struct Group: DeskAsker {
        var pages: [PartitionAddress: [DeskPage.Row]]
        var buyers: [FoundFacts.AccountBuyer] = []
        var silent: Set<PartitionAddress> = []

        var everywhere: [PartitionAddress] {
            ServiceName.allCases.flatMap { [PartitionAddress($0, 0), PartitionAddress($0, 1)] }
        }

        @concurrent func answer<Question: RequestContract>(
            to question: Question,
            of partition: PartitionAddress
        ) async -> Question.Reply? {
            guard !silent.contains(partition) else { return nil }
            switch question {
            case let question as DeskListV1: return page(question, at: partition) as? Question.Reply
            case is FactsFindV1: return FoundFacts(buyers: buyers) as? Question.Reply
            case _: return nil
            }
        }

        private func page(_ question: DeskListV1, at partition: PartitionAddress) -> DeskPage {
            let rows = (pages[partition] ?? []).filter { row in question.after.map { row.place > $0 } ?? true
            }
            let sorted = rows.sorted { $0.place < $1.place }
            return DeskPage(
                rows: Array(sorted.prefix(question.limit)),
                hasMore: sorted.count > question.limit
            )
        }
    }

    private static let group = Group(pages: [
        PartitionAddress(.receipts, 0): [row(1, "a"), row(4, "d"), row(5, "e")],
        PartitionAddress(.receipts, 1): [row(1, "b"), row(3, "c"), row(6, "f")],
    ])

    @Test(arguments: [1, 2, 3, 5, 6, 7])
    func `go through all partitions page by page, and have each row once`(limit: Int) async {
        var (keys, after): ([String], DeskPage.Place?) = ([], nil)
        for _ in 0..<10 {
            let question = DeskListV1(list: .orphans, before: nil, after: after, limit: limit)
            let listed = await DeskLists(Self.group).page(question)
            keys += listed.rows.map(\.place.key)
            #expect(listed.rows.count <= limit)
            after = listed.next
            if after == nil { break }
        }
        #expect(keys == ["a", "b", "c", "d", "e", "f"])
    }

    @Test func `say which partitions did not answer`() async {
        var group = Self.group
        group.silent = [PartitionAddress(.receipts, 1)]
        let listed = await DeskLists(group).page(
            DeskListV1(list: .orphans, before: nil, after: nil, limit: 9)
        )
        #expect(listed.missed == group.silent)
        #expect(listed.rows.count == 3)
        let first = await DeskLists(group).page(
            DeskListV1(list: .orphans, before: nil, after: nil, limit: 1)
        )
        #expect(first.missed == group.silent)
        #expect(first.next == first.rows.last?.place, "who is told what is missed may still go on")
    }

    @Test func `name who has bought with the same account as likely holder`() async {
        var group = Self.group
        let buyer = BuyerID(unchecked: "ada")
        group.buyers = [
            .init(
                account: "7042",
                bundleId: BundleID(unchecked: "com.example.game"),
                environment: .production,
                buyerId: buyer
            ),
            .init(
                account: "7042",
                bundleId: BundleID(unchecked: "com.example.game"),
                environment: .sandbox,
                buyerId: BuyerID(unchecked: "eve")
            ),
        ]
        let listed = await DeskLists(group).page(
            DeskListV1(list: .orphans, before: nil, after: nil, limit: 1)
        )
        #expect(listed.rows[0].holders == [DeskPage.Holder(buyerId: buyer, sign: .account)])
    }

    @Test func `name each likely holder once, by the strongest sign`() {
        let (ada, eve) = (BuyerID(unchecked: "ada"), BuyerID(unchecked: "eve"))
        let holders = [
            DeskPage.Holder(buyerId: ada, sign: .handedIn), DeskPage.Holder(buyerId: ada, sign: .account),
            DeskPage.Holder(buyerId: eve, sign: .chain),
        ]
        #expect(
            DeskHolders.ranked(holders) == [
                DeskPage.Holder(buyerId: eve, sign: .chain), DeskPage.Holder(buyerId: ada, sign: .account),
            ]
        )
    }

    @Test func `have age, sum and what would help in each row`() {
        let listing = DeskListing(Self.row(0, "2000000812345678"), in: .english, now: DeskSample.now)
        #expect(listing.age == "30 min" && listing.sum == "0.99 USD")
        #expect(listing.help.contains("counterfoil assign 2000000812345678"))
        for kind in DeskPage.Kind.allCases {
            #expect(
                !DeskListing(Self.row(0, "1", kind), in: .simplifiedChinese, now: DeskSample.now).help.isEmpty
            )
        }
    }

    @Test func `say in both languages what waits, for how long and why`() {
        var row = Self.row(0, "2000000812345678", .parkedGrant)
        row.reason = "unknownProduct"
        let now = DeskSample.now
        let (english, chinese) = (
            DeskListing(row, in: .english, now: now), DeskListing(row, in: .simplifiedChinese, now: now)
        )
        #expect(english.what == "parked grant" && english.why == "the catalog has no such product")
        #expect(chinese.age == "30 分钟" && chinese.why == "目录里没有此商品")
        #expect(english.reason == chinese.reason)
        (row.kind, row.reason) = (.parkedNotification, "REFUND: wrongApp")
        #expect(DeskListing(row, in: .simplifiedChinese, now: now).why == "退款：属于另一个 App")
        (row.kind, row.reason) = (.orphan, nil)
        #expect(DeskListing(row, in: .english, now: now).why == "nothing names its buyer")
        (row.kind, row.reason) = (.contested, "vic")
        #expect(DeskListing(row, in: .english, now: now).why == "also claimed by vic")
        let texts =
            DeskPage.Kind.allCases.map { DeskRowTexts.what($0) }
            + DeskPage.Kind.allCases.compactMap { DeskRowTexts.usualReason($0) }
        for (english, chinese) in texts {
            #expect(english.allSatisfy(\.isASCII) && !chinese.allSatisfy(\.isASCII), "\(english)")
        }
    }

    @Test func `name what another operator confirms`() {
        var row = Self.row(0, "m", .proposedMove)
        row.proposalId = ProposalID(.move, shard: Shard(rawValue: 2), digest: Array(repeating: 7, count: 14))
        let help = DeskListing(row, in: .english, now: DeskSample.now).help
        #expect(help.contains("counterfoil confirm m0002"))
        #expect(DeskLists<Group>.services(of: .proposals) == [.receipts, .entitlements])
    }

    @Test func `say all of a proposal that its confirmer has to know`() {
        var row = Self.row(0, "2000000812345678", .proposedMove)
        (row.productId, row.quantity) = (ProductID(unchecked: "coins.120"), 3)
        (row.buyerId, row.holderId) = (BuyerID(unchecked: "ada"), BuyerID(unchecked: "eve"))
        row.proposedBy = OperatorID(unchecked: "o0123456789ab")
        func offer(_ language: DeskLanguage = .english) -> String? {
            let names = ["o0123456789ab": "mei"]
            return DeskListing(row, in: language, now: DeskSample.now, operators: names).offer
        }
        #expect(
            offer() == "3 × coins.120 from eve to ada, purchase 2000000812345678; proposed by mei"
        )
        (row.kind, row.basis) = (.proposedCompensation, .goodwill)
        #expect(offer() == "3 × coins.120 for ada, as goodwill; proposed by mei")
        (row.basis, row.appleOrderId) = (.appleOrder, AppleOrderID(unchecked: "MQ5LB2JHXY"))
        #expect(offer() == "3 × coins.120 for ada, on Apple's order MQ5LB2JHXY; proposed by mei")
        #expect(offer(.simplifiedChinese) == "ada 的 coins.120 × 3，Apple 订单 MQ5LB2JHXY；提议人 mei")
        row.kind = .orphan
        #expect(offer() == nil)
    }

    @Test(arguments: [
        DeskKey.text(of: ["2000000812345678", "com.example.game", "Production"]),
        DeskKey.text(of: ["com.example.game", "Ada & Söhne ~20%20\u{202E}\n$(id)/艾达", "p.1"]), "",
    ])
    func `have cursors that are one word of a URL and a command, and are read as written`(key: String) {
        let place = DeskPage.Place(since: DeskSample.now, key: key)
        let plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_~"
        #expect(place.cursor.allSatisfy(plain.contains))
        #expect(DeskPage.Place(cursor: place.cursor) == place)
    }

    @Test(arguments: ["nonsense", "x.y", "1.a b", "1.~2", "1.~zz", "1.~ff", "1.~61", "1.~+1"])
    func `begin nowhere else than a cursor says`(cursor: String) {
        #expect(DeskPage.Place(cursor: cursor) == nil)
    }

    @Test(arguments: [("90s", 90_000), ("15min", 900_000), ("1h", 3_600_000), ("3d", 259_200_000)])
    func `take an age with its unit`(text: String, milliseconds: Int64) {
        #expect(DeskAge.milliseconds(text) == milliseconds)
    }

    @Test(arguments: ["", "h", "1", "-1h", "0s", "1 h", "1w", "100001s", "1.5h"])
    func `refuse any other age`(text: String) {
        #expect(DeskAge.milliseconds(text) == nil)
    }

    @Test func `a page of proposals begins 7 days ago, or behind the last row of the page before`() {
        let now = Timestamp(milliseconds: Approval.validMilliseconds + 5)
        func start(after: DeskPage.Place?) -> DeskPage.Place {
            DeskListV1(list: .proposals, before: nil, after: after, limit: 1).startOfProposals(at: now)
        }
        let first = DeskPage.Place(since: Timestamp(milliseconds: 5), key: "")
        let later = DeskPage.Place(since: Timestamp(milliseconds: 5), key: "1")
        #expect(start(after: nil) == first)
        #expect(start(after: DeskPage.Place(since: Timestamp(milliseconds: 4), key: "1")) == first)
        #expect(start(after: later) == later)
    }
}
