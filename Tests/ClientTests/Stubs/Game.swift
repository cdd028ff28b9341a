// A game without a phone: StoreKit and the gateway are played. The first run dies when the proof is on its way.
import CounterfoilClient
import CounterfoilClientTesting

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

actor DyingStoreKit: TransactionSource {
    let hasPaid: Bool

    init(hasPaid: Bool) { self.hasPaid = hasPaid }

    private var transaction: SeenTransaction {
        var seen = SeenTransaction(transactionID: "1", content: .signedTransaction("a.b.c"))
        seen.productID = "coins"
        seen.appAccountToken = "order-1"
        return seen
    }

    func observe(_ seen: @escaping @Sendable (SeenTransaction) -> Void) async {}
    func unfinished() -> [SeenTransaction] { hasPaid ? [transaction] : [] }
    func purchase(productID: String, appAccountToken: String) -> SeenTransaction {
        say("paid")
        return transaction
    }
    func restored() -> [SeenTransaction] { [] }
    func finish(transactionID: String) {
        say("finished \(transactionID)")
        exit(0)
    }
    func refreshedReceipt() -> SeenTransaction? { nil }
    func canMakePayments() -> Bool { true }
    func prices(of productIDs: [String]) -> [StorePrice]? { [] }
}

struct DyingGateway: PurchaseBackend {
    let dies: Bool

    func products(buyer: String) async -> [CatalogProduct]? { nil }
    func order(productID: String, buyer: String, key: String) async -> OrderAnswer {
        .issued(orderID: "order-1")
    }
    func report(orderID: String, buyer: String, _ outcome: PurchaseOutcome) async -> String? { nil }
    func submit(_ submission: Submission) async -> DeliveryAnswer {
        if dies {
            say("kept and sent")
            exit(9)
        }
        say("sent again for \(submission.proof.buyer ?? "nobody")")
        return DeliveryAnswer(
            status: 200,
            receipt: .init(receiptId: "r1", verdict: "granted", finish: true)
        )
    }
    func log(orderID: String, buyer: String, _ entries: [StepLog.Entry]) async {}
}

func say(_ line: String) {
    print(line)
    fflush(nil)
}

@main struct Game {
    static func main() async throws {
        guard await PlayedStoreKit().canMakePayments() else { return }
        let store = FileProofStore(folder: CommandLine.arguments[1])
        let isFirst = try await store.load().isEmpty
        let client = PurchaseClient(
            source: DyingStoreKit(hasPaid: !isFirst),
            store: store,
            backend: DyingGateway(dies: isFirst)
        )
        if isFirst { client.buy("coins") }
        // Another login has the phone in the second run; the proof stays ada's.
        client.start(login: isFirst ? "ada" : "bob")
        for await _ in await client.states() {}
    }
}
