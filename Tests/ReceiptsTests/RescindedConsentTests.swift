import AppStoreSigning
import Contracts
import Database
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

@Suite struct `consent that a parent withdrew` {
    private static let account = "704000000000000001"
    let group = ReceiptsGroup()

    private static func notification(
        _ account: String? = account,
        bundleId: String? = Sample.app.rawValue,
        environment: Environment? = .production
    ) -> ServerNotification {
        var notification = `a server notification`.notification(nil, type: "RESCIND_CONSENT")
        notification.signedDate = Sample.start
        notification.appTransaction = AppTransactionFacts(
            bundleId: bundleId,
            environment: environment,
            appTransactionId: account
        )
        return notification
    }

    static func lookup(isAlwaysTold: Bool) -> ConsentLookupV1 {
        ConsentLookupV1(
            notificationUUID: "uuid-1",
            bundleId: Sample.app,
            environment: .production,
            appTransactionId: account,
            rescindedAt: Sample.start,
            isAlwaysTold: isAlwaysTold
        )
    }

    private static func bought(_ id: String, account: String? = account) -> SignedTransaction {
        Sample.transaction(id).with(\.appTransactionId, account)
    }

    /// Lets the notification come in; what every partition tells Notifications then.
    private func rescind(_ notification: ServerNotification = notification()) throws -> [OutgoingEvent] {
        group.notificationReader.contents["n"] = .success(notification)
        return try told(try group.deliver("uuid-1", "n").sent)
    }

    private func told(_ lookups: [OutgoingEvent]) throws -> [OutgoingEvent] {
        try lookups.flatMap { lookup in
            let body = try lookup.decoded(ConsentLookupV1.self).data
            return try group.handle(body, in: lookup.to.partition, OnConsentLookup().callAsFunction).sent
        }
    }

    private func state() throws -> [[Value]] {
        try group.rows("SELECT state || ' ' || COALESCE(reason, '-') FROM server_notification", partition: 0)
    }

    @Test func `is told once with the account, where no buyer is known, and is an alarm`() throws {
        let sent = try rescind()
        let expected = ConsentRescindedV1(
            bundleId: Sample.app,
            environment: .production,
            appTransactionId: Self.account,
            rescindedAt: Sample.start,
            buyerIds: []
        )
        #expect(try sent.bodies(ConsentRescindedV1.self) == [expected])
        let key = PartitionKey.account(Self.account, of: Sample.app)
        #expect(sent.map(\.to) == [key.address(in: .notifications, of: ReceiptsGroup.partitions)])
        #expect(sent.map(\.subject) == ["com.example.game/\(Self.account)"])
        #expect(try state() == [["delivered -"]])
        #expect(try group.gauges(0)["counterfoil_consents_rescinded"] == 1)
        #expect(try rescind().isEmpty, "delivered again it is known")
    }

    @Test func `names the buyers of every partition who bought with the account, and changes no claim`()
        throws
    {
        let purchases = (1...8).map { Self.bought("\($0)") } + [Self.bought("9", account: "7")]
        for bought in purchases {
            let holder = bought.transactionId == "9" ? Sample.otherHolder : Sample.holder
            try group.verifyAndHold(bought, by: holder)
        }
        let sent = try rescind()
        let buyers = try sent.bodies(ConsentRescindedV1.self).map(\.buyerIds)
        #expect(buyers.contains([Sample.alice]) && buyers.allSatisfy { [[], [Sample.alice]].contains($0) })
        #expect(Set(sent.map(\.id)).count == sent.count, "each is a message of its own")
        for bought in purchases { #expect(try group.record(bought).claim.state.isHeldByAnyone) }
    }

    @Test func `is looked for among all claims, a page a turn, and all of its buyers are told`() async throws
    {
        group.apple = try AskedApple().settings([.serverAPI])
        let partition = ReceiptsGroup.partition(of: Self.bought("1"))
        let purchases = (1...700).map { Self.bought("\($0)") }
            .filter { ReceiptsGroup.partition(of: $0) == partition }
        #expect(purchases.count > AccountSearch.buyersPerMessage)
        for bought in purchases {
            let buyer = BuyerID(unchecked: "buyer-\(bought.transactionId)")
            try group.verifyAndHold(bought, by: Claim.Holder(buyer: buyer, order: Sample.order))
        }
        let handler = OnConsentLookup(claimsPerTurn: 7).callAsFunction
        let first = try group.handle(Self.lookup(isAlwaysTold: false), in: partition, handler).sent
        #expect(first.isEmpty, "there are more pages")
        var sent: [OutgoingEvent] = []
        var turns = 0
        while let item = try group.due(AccountSearchTurns.key, partition).first {
            turns += 1
            sent += try group.finish(item, await group.perform(item), partition).sent
        }
        #expect(turns >= 1)
        let told = try sent.bodies(ConsentRescindedV1.self).map(\.buyerIds)
        #expect(told.map(\.count) == [100, purchases.count - 100])
        #expect(Set(told.joined()) == Set(purchases.map { BuyerID(unchecked: "buyer-\($0.transactionId)") }))
        #expect(Set(sent.map(\.id)).count == sent.count)
        #expect(try group.rows("SELECT 1 FROM account_search", partition: partition).isEmpty)
    }

    @Test func `is told under the same id again when Notifications was restored`() throws {
        let first = try rescind()
        let partition = try #require(first.first).to.partition
        let redriven = try group.redrive(from: 0, to: .notifications, partition).sent
        let again = try told(redriven.filter { $0.type == ConsentLookupV1.type })
        #expect(again.map(\.id) == first.map(\.id) && again.map(\.bytes.count) == first.map(\.bytes.count))
    }

    @Test(arguments: [
        (notification(bundleId: "com.example.other"), "wrongApp"),
        (notification(environment: .sandbox), "wrongEnvironment"), (notification(nil), "unreadable"),
        (notification(""), "unreadable"),
    ])
    func `of another app or environment, or of no account, is parked`(
        notification: ServerNotification,
        reason: String
    ) throws {
        #expect(try rescind(notification).isEmpty)
        #expect(try state() == [[.text("parked \(reason)")]])
    }

    @Test func `is read from a notification whose app transaction is verified by itself`() throws {
        let signer = try AppStoreSigner()
        let foreign = try AppStoreSigner()
        let reader = AppStoreServerNotificationReader(
            verifier: AppleVerifiers(extraRoots: [signer.rootDER]).notifications
        )
        func signed(by inner: AppStoreSigner) throws -> String {
            let account = """
                {"receiptType":"Production","bundleId":"com.example.game","appTransactionId":"\(Self.account)",\
                "receiptCreationDate":\(Sample.start.milliseconds)}
                """
            let item = try inner.sign(payload: Array(account.utf8))
            let json = """
                {"notificationType":"RESCIND_CONSENT","notificationUUID":"u","version":"2.0",\
                "signedDate":\(Sample.start.milliseconds),"appData":{"bundleId":"com.example.game",\
                "environment":"Production","signedAppTransactionInfo":"\(item)"}}
                """
            return try signer.sign(payload: Array(json.utf8))
        }
        let read = try reader.notification(in: signed(by: signer), now: Sample.start)
        #expect(read.appTransaction?.appTransactionId == Self.account && read.kind == .consentRescinded)
        #expect(throws: ServerNotificationFailure.self) {
            try reader.notification(in: signed(by: foreign), now: Sample.start)
        }
    }
}

@Suite struct `a search for the buyers of an account` {
    private static func search(isAlwaysTold: Bool = false) -> AccountSearch {
        AccountSearch(`consent that a parent withdrew`.lookup(isAlwaysTold: isAlwaysTold))
    }

    @Test func `goes on behind the last claim, and tells each buyer once at its end`() {
        var search = Self.search()
        #expect(search.apply(.init(buyers: [Sample.bob], end: ["1", "", ""])) == [.save])
        #expect(search.after == ["1", "", ""])
        #expect(search.apply(.init(buyers: [Sample.bob], end: ["2", "", ""])) == [.save])
        let last = search.apply(.init(buyers: [Sample.alice], end: nil))
        #expect(last == [.tell([Sample.alice, Sample.bob], part: 0), .remove])
    }

    @Test(arguments: [true, false])
    func `that finds nobody tells only where it is always told`(isAlwaysTold: Bool) {
        var search = Self.search(isAlwaysTold: isAlwaysTold)
        let expected: [AccountSearch.Directive] = isAlwaysTold ? [.tell([], part: 0), .remove] : [.remove]
        #expect(search.apply(.init(buyers: [], end: nil)) == expected)
    }

    @Test func `tells many buyers in several messages`() {
        var search = Self.search()
        let many = (1_000..<1_250).map { BuyerID(unchecked: "b\($0)") }
        let directives = search.apply(.init(buyers: many, end: nil))
        let told = directives.compactMap { directive -> [BuyerID]? in
            if case .tell(let buyers, _) = directive { buyers } else { nil }
        }
        #expect(told.map(\.count) == [100, 100, 50] && Array(told.joined()) == many)
    }
}

extension Claim.State {
    fileprivate var isHeldByAnyone: Bool { if case .held = self { true } else { false } }
}
