import Contracts
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

@Suite struct `a parked receipt` {
    let group = ReceiptsGroup()
    let home = ReceiptsGroup.partition(of: Sample.alice)

    @Test(arguments: [ProofFailure.untrusted, .expiredCertificate, .unreadable])
    func `of an unclear chain is kept as a whole, and judged again on retry`(failure: ProofFailure) throws {
        group.proofs.contents["one"] = .failure(failure)
        let (outcome, sent) = try group.submit("one", by: Sample.alice)
        let receipt = try #require(outcome.reply?.receiptId)
        let accepted = try #require(try sent.bodies(ReceiptAcceptedV1.self).first)
        #expect(accepted.verdict == .parked)
        #expect(accepted.reason == failure.rawValue)
        #expect(sent.count == 1)

        group.proofs.contents["one"] = .success([Sample.transaction("1")])
        let retried = try group.retry(partition: home)
        let item = try #require(retried.items.first)
        #expect(retried.items.count == 1 && item.kind == .submission && item.id == receipt.rawValue)
        #expect(item.before == RetryPage.ItemStatus("parked", reason: failure.rawValue))
        #expect(item.after == RetryPage.ItemStatus("verified"))
        #expect(item.buyerId == Sample.alice && item.productId?.rawValue == Sample.transaction("1").productId)
        #expect(retried.sent.map(\.type) == [ReceiptAcceptedV1.type, TransactionVerifiedV1.type])
        #expect(try retried.sent.bodies(TransactionVerifiedV1.self).first?.submission?.receiptId == receipt)
        #expect(try group.retry(partition: home).items.isEmpty)
    }

    @Test func `of another app stays parked until it is configured otherwise`() throws {
        let foreign = Sample.transaction("1", environment: "Sandbox")
        group.policies = [Sample.app: AppPolicy(environments: [.production], sandbox: .separate)]
        group.proofs.contents["one"] = .success([foreign])
        let sent = try group.submit("one", by: Sample.alice).sent
        #expect(sent.map(\.to.service) == [.notifications])
        let transactions = try #require(try sent.bodies(ReceiptAcceptedV1.self).first).transactions
        #expect(transactions.map(\.verdict) == [.parked])
        #expect(transactions.map(\.reason) == ["wrongEnvironment"])
        #expect(try group.retry(partition: home).sent.map(\.to.service) == [.notifications])

        group.policies = [Sample.app: Sample.policy]
        #expect(try group.retry(partition: home).sent.map(\.to.service) == [.notifications, .receipts])
    }

    @Test func `of a version that was not shipped stays parked until the app names it`() throws {
        group.policies = [Sample.app: Sample.policy]
        group.policies[Sample.app]?.versions = ["1.0"]
        group.proofs.applicationVersion = "6.6.6"
        group.proofs.contents["one"] = .success([Sample.transaction("1")])
        let (outcome, sent) = try group.submit("one", by: Sample.alice)
        let accepted = try sent.bodies(ReceiptAcceptedV1.self)
        #expect(accepted.flatMap(\.transactions).map(\.reason) == ["unknownVersion"])
        #expect(accepted.map(\.applicationVersion) == ["6.6.6"] && sent.count == 1)
        let receipt = try #require(outcome.reply?.receiptId)
        let types = try group.trace(receipt.rawValue, partition: home).entries.map(\.type)
        #expect(types == ["counterfoil.receipt.submit.v1 (application version 6.6.6)"])
        group.policies[Sample.app]?.versions = ["1.0", "6.6.6"]
        #expect(try group.retry(partition: home).sent.map(\.to.service) == [.notifications, .receipts])
    }

    @Test func `is retried by its id with the order that it named, parked or not`() throws {
        group.proofs.contents["one"] = .success([Sample.transaction("1")])
        let outcome = try group.submit("one", by: Sample.alice, hint: "ORDER-1").outcome
        let receipt = try #require(outcome.reply?.receiptId)
        let retried = try group.retry(RetryScope(receiptId: receipt), partition: home)
        #expect(retried.items.map(\.id) == [receipt.rawValue])
        #expect(try retried.sent.bodies(TransactionVerifiedV1.self).first?.submission?.orderId == "ORDER-1")
        let unknown = try group.retryPage(RetryScope(receiptId: Sample.receipt(9)), partition: home)
        #expect(unknown.outcome.refusal?.code == .notFound)
    }

    @Test func `is judged again where its buyer or its product is named, and nothing else is`() throws {
        group.policies = [Sample.app: AppPolicy(environments: [.production], sandbox: .separate)]
        let buyers = (0..<100).map { BuyerID(unchecked: "buyer-\($0)") }
        let bob = try #require(buyers.first { ReceiptsGroup.partition(of: $0) == home })
        for (number, buyer) in [Sample.alice, bob].enumerated() {
            let foreign = Sample.transaction("\(number)", environment: "Sandbox")
                .with(\.productId, "product.\(number)")
            group.proofs.contents["proof-\(number)"] = .success([foreign])
            _ = try group.submit("proof-\(number)", by: buyer)
        }
        func found(_ scope: RetryScope) throws -> [BuyerID?] {
            try group.retry(scope, partition: home).items.map(\.buyerId)
        }
        #expect(try Set(found(RetryScope())) == [Sample.alice, bob])
        #expect(try found(RetryScope(buyerId: bob)) == [bob])
        #expect(try found(RetryScope(productId: ProductID(unchecked: "product.0"))) == [Sample.alice])
        #expect(try found(RetryScope(productId: ProductID(unchecked: "product.0"), buyerId: bob)) == [])
    }

    @Test func `is not passed over however many wait before it, and no page is too large`() throws {
        let count = OnReceiptRetry.maximumPerRequest + 1
        for number in 0..<count {
            group.proofs.contents["\(number)"] = .failure(.untrusted)
            _ = try group.submit("\(number)", by: Sample.alice)
        }
        let first = try #require(try group.retryPage(partition: home).outcome.reply)
        #expect(first.items.count == OnReceiptRetry.maximumPerRequest)
        #expect(try Set(group.retry(partition: home).items.map(\.id)).count == count)
        for after in [["grant"], ["submission", "a", "b"], ["orphan", "1"], []] {
            #expect(try group.retryPage(after: after, partition: home).outcome.refusal?.field == "after")
        }
    }

    @Test func `is one too many when its buyer has too many, and then nothing is kept`() throws {
        for number in 0..<SubmissionQuota.maximumCount {
            group.proofs.contents["\(number)"] = .failure(.untrusted)
            #expect(try group.submit("\(number)", by: Sample.alice).outcome.reply != nil)
        }
        group.proofs.contents["more"] = .failure(.untrusted)
        let (outcome, sent) = try group.submit("more", by: Sample.alice)
        #expect(outcome.refusal?.code == .busy)
        #expect(sent.isEmpty)
        #expect(try group.submit("0", by: Sample.alice).outcome.reply != nil, "known ones are taken")
        group.proofs.contents["good"] = .success([Sample.transaction("1")])
        #expect(try group.submit("good", by: Sample.alice).outcome.reply != nil, "good ones are taken")
        let other = try group.submit("more", by: Sample.bob).outcome
        #expect(other.reply != nil, "others have room of their own")

        let expected = home == ReceiptsGroup.partition(of: Sample.bob) ? 1_001.0 : 1_000.0
        #expect(try group.gauges(home)["counterfoil_receipts_parked"] == expected)
    }
}
