import Contracts
import Testing

@testable import AppStoreSimulator

@Suite struct `A purchase that is restored in the simulated store` {
    private let store: TestStore

    init() async throws { store = try await TestStore() }

    private static let goods = [("pro", "Non-Consumable"), ("gold.monthly", "Auto-Renewable Subscription")]

    @Test(arguments: goods.indices)
    func `is another transaction of the same purchase, of which no server is told`(index: Int) async throws {
        try await store.listen()
        let (product, type) = Self.goods[index]
        let first = try await store.sold(store.buy(product, type, #""account":"ada""#))
        store.clock.advance(days: 2)
        let answer = try await store.event("restore", first.transactionId)
        #expect(answer.status == 200)
        #expect(answer.array("notifications").isEmpty)
        let again = try store.sold(answer)
        #expect(again.transactionId != first.transactionId)
        #expect(again.originalTransactionId == first.transactionId)
        #expect(again.originalPurchaseDate == first.purchaseDate)
        #expect(again.webOrderLineItemId == first.webOrderLineItemId)
        #expect(again.expiresDate == first.expiresDate)
        #expect(again.appTransactionId == first.appTransactionId)
        #expect(again.signedDate > first.signedDate)
    }

    @Test(arguments: goods.indices, [false, true])
    func `is paid back under both ids, and one of them is told`(index: Int, isFirst: Bool) async throws {
        try await store.listen()
        let (product, type) = Self.goods[index]
        let first = try await store.sold(store.buy(product, type)).transactionId
        let again = try await store.sold(store.event("restore", first)).transactionId
        let asked = isFirst ? first : again
        for (event, isRevoked) in [("refund", true), ("reverseRefund", false)] {
            let answer = try await store.event(event, asked)
            #expect(answer.status == 200)
            #expect(answer.array("notifications").count == 1)
            #expect(answer.text("notifications", "0", "transactionId") == asked)
            for id in [first, again] {
                let transaction = await store.store.sales.sale(id)?.transaction
                #expect((transaction?.revocationDate != nil) == isRevoked)
            }
        }
    }

    @Test func `can be what is not consumed and not paid back, nothing else`() async throws {
        let coins = try await store.buy().transactionId
        #expect(try await store.event("restore", coins).status == 409)
        let pro = try await store.buy("pro", "Non-Consumable").transactionId
        _ = try await store.event("refund", pro)
        #expect(try await store.event("restore", pro).status == 409)
        #expect(try await store.event("restore", "123").status == 404)
    }
}
