import AppStore
import Contracts
import Foundation
import Testing

@testable import AppStoreSimulator

@Suite struct `A purchase in the simulated store` {
    private let store: TestStore

    init() async throws { store = try await TestStore() }

    private static let catalog = #"""
        {"products":[{"productId":"pro.lifetime","type":"nonConsumable","grants":[]},
        {"productId":"coins.120","type":"consumable","grants":[]},
        {"productId":"gold","type":"autoRenewable","grants":[]},
        {"productId":"season","type":"nonRenewing","grants":[]},
        {"productId":"coins.120","bundleId":"com.example.game","type":"nonConsumable","grants":[]}]}
        """#

    private static func order(_ product: String, _ bundle: String = "com.example.other") -> String {
        #"{"bundleId":"\#(bundle)","productId":"\#(product)"}"#
    }

    @Test(arguments: [
        ("pro.lifetime", "com.example.other", "Non-Consumable"),
        ("coins.120", "com.example.other", "Consumable"),
        ("coins.120", TestStore.bundle, "Non-Consumable"),
        ("gold", "com.example.other", "Auto-Renewable Subscription"),
        ("season", "com.example.other", "Non-Renewing Subscription"),
    ])
    func `has the type that the catalog says, in the app's own entry before that of one for every app`(
        product: String,
        bundle: String,
        type: String
    ) async throws {
        let store = try await TestStore(catalog: Self.catalog)
        let sold = try await store.control("purchases", Self.order(product, bundle))
        #expect(sold.text("transactions", "0", "type") == type)
    }

    @Test func `without a type is refused where no catalog knows it`() async throws {
        let bare = try await store.control("purchases", Self.order("gold"))
        #expect(bare.status == 400)
        #expect(bare.text("detail").contains("type is missing"))
        let unknown = try await TestStore(catalog: Self.catalog).control("purchases", Self.order("silver"))
        #expect(unknown.status == 400)
        let broken = try await TestStore(catalog: "{").control("purchases", Self.order("gold"))
        #expect(broken.text("detail").contains("cannot be read"))
    }

    @Test func `keeps its proof's shape, and one account has one number in an app`() async throws {
        let one = try await store.buy("coins.120", "Consumable", #""account":"ada","quantity":3"#)
        let two = try await store.buy("coins.120", "Consumable", #""account":"ada""#)
        let other = try await store.buy()
        let verified = try store.verified(one.text("transactions", "0", "signedTransaction"))
        #expect((verified.quantity, verified.environment) == (3, "Production"))
        let number = one.text("transactions", "0", "appTransactionId")
        #expect(number.count == 18)
        #expect(two.text("transactions", "0", "appTransactionId") == number)
        #expect(other.text("transactions", "0", "appTransactionId") != number)
    }

    @Test(arguments: [
        (#""type":"Gift""#, "type"), (#""type":"Consumable","quantity":0"#, "quantity"),
        (#""type":"Consumable","currency":"usd""#, "currency"),
        (#""type":"Consumable","appAccountToken":"x""#, "appAccountToken"),
        (#""type":"Consumable","count":1001"#, "count"),
        (#""type":"Auto-Renewable Subscription","period":"1 month""#, "period"),
        (#""type":"Consumable","purchaseDate":9999999999999"#, "purchaseDate"),
    ])
    func `with a member that cannot be is refused by its name`(members: String, name: String) async throws {
        let body = #"{"bundleId":"com.example.game","productId":"p",\#(members)}"#
        let answer = try await store.control("purchases", body)
        #expect(answer.status == 400)
        #expect(answer.text("detail").contains(name))
    }

    @Test func `hands out the receipt of all that its buyer has bought and not used up`() async throws {
        let used = try await store.buy("coins.120", "Consumable", #""account":"ada""#)
        _ = try await store.event("finish", used.transactionId)
        let kept = try await store.buy("pro", "Non-Consumable", #""account":"ada""#)
        _ = try await store.buy("pro", "Non-Consumable", #""account":"bob""#)
        let last = try await store.buy("coins.120", "Consumable", #""account":"ada","appReceipt":true"#)
        let bytes = try #require(Data(base64Encoded: last.text("appReceipt")))
        let receipt = try AppReceiptVerifier(extraRoots: store.roots).verify(Array(bytes))
        #expect(receipt.bundleId == TestStore.bundle)
        #expect(Set(receipt.inApp.map(\.transactionId)) == [kept.transactionId, last.transactionId])
    }

    @Test func `hands out the receipt of iOS 6`() async throws {
        let sold = try await store.buy("coins.120", "Consumable", #""transactionReceipt":true"#)
        let receipt = sold.text("transactions", "0", "transactionReceipt")
        #expect(AppStore.TransactionReceipt.transactionID(in: receipt) == sold.transactionId)
    }

    @Test func `that a parent must approve is made only then, or never`() async throws {
        try await store.listen()
        let asked = try await store.buy("coins.120", "Consumable", #""askToBuy":true"#)
        #expect(asked.status == 202)
        #expect(asked.array("transactions").isEmpty)
        let approve = #"{"event":"approve","pendingId":"\#(asked.text("pendingId"))"}"#
        let made = try await store.control("events", approve)
        #expect(made.text("notifications", "0", "notificationType") == "ONE_TIME_CHARGE")
        #expect(made.array("transactions").count == 1)
        #expect(try await store.control("events", approve).status == 409)
        let again = try await store.buy("coins.120", "Consumable", #""askToBuy":true"#)
        let decline = #"{"event":"decline","pendingId":"\#(again.text("pendingId"))"}"#
        #expect(try await store.control("events", decline).array("transactions").isEmpty)
        #expect(try await store.control("events", decline).status == 409)
    }

    @Test func `is known after a restart, with what became of it`() async throws {
        let copy = store.folder.path + "-copy"
        let id = try await store.subscribe(#""account":"ada""#).transactionId
        _ = try await store.event("failToRenew", id, #""gracePeriodDays":16"#)
        try FileManager.default.copyItem(atPath: store.folder.path, toPath: copy)
        let again = try await TestStore(folder: copy, clock: store.clock, seed: 8)
        #expect(try await again.subscriptionStatus(id) == .integer(4))
        #expect(try await again.event("recover", id).status == 200)
        let refund = try await again.control("refunds", #"{"transactionId":"\#(id)"}"#)
        #expect(refund.text("transactions", "0", "revocationType") == "REFUND_FULL")
    }

    @Test func `survives a line that a crash cut off`() throws {
        var journal = try Journal<Int>(folder: store.folder.path, name: "numbers")
        try journal.append([1, 2])
        let path = store.folder.path + "/numbers.jsonl"
        try Data("1\n2\n{\"cut".utf8).write(to: URL(fileURLWithPath: path))
        var again = try Journal<Int>(folder: store.folder.path, name: "numbers")
        try again.append([3])
        #expect(again.records() == [1, 2, 3])
    }

    @Test func `is kept in two files, of which the older one is forgotten`() throws {
        var journal = try Journal<Int>(folder: store.folder.path, name: "numbers", maximumFileBytes: 8)
        for number in 10..<20 { try journal.append([number]) }
        #expect(journal.records() == [16, 17, 18, 19])
    }
}
