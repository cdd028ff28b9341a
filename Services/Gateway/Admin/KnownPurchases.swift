import Contracts
import Domain
import HTTPTypes

/// What is known of the purchases of an order of Apple's on which a compensation would stand.
///
/// | the purchase is     | proposed               | confirmed              |
/// |---------------------|------------------------|------------------------|
/// | not known           | goes on                | goes on                |
/// | nobody's            | refused: `orphan`      | refused: `orphan`      |
/// | the buyer's         | refused: `granted`     | the ledger decides     |
/// | another buyer's     | refused: `granted`     | refused: `granted`     |
/// | being decided about | refused: `undecided`   | refused: `undecided`   |
///
/// An assignment first finds its purchase and then looks for compensations; a confirmation looks for the purchase of a
/// compensation that was written before. So one of the two sees the other, whatever comes first.
struct KnownPurchases: Sendable {
    let gateway: GatewayContext
    let appleOrderId: AppleOrderID?
    /// Those that an operator or Apple has named.
    let transactionIds: [TransactionID]
    let bundleId: BundleID
    let buyerId: BuyerID
    let environment: Contracts.Environment
    let productId: ProductID
    let operatorId: OperatorID
    let isConfirmed: Bool
    /// What of the request is refused.
    let field: String

    /// - Throws: `Problem`: 409 where a purchase of this order keeps others from it, 503 where nobody says.
    func check() async throws(Problem) {
        let named = try await namedByApple()
        let transactions = Set(transactionIds + named).sorted()
        for transaction in transactions {
            try await check(transaction, isOnly: transactions.count == 1)
        }
    }

    /// The transactions that Apple has said to belong to the order; one partition knows it.
    private func namedByApple() async throws(Problem) -> [TransactionID] {
        guard let appleOrderId else { return [] }
        let partitions = gateway.partitions
        let route = AppleOrderAskV1(bundleId: bundleId, appleOrderId: appleOrderId).route
        guard let home = route.owner(of: partitions.count) else { throw .internalFault }
        let question = FactsFindV1(texts: [appleOrderId.rawValue], bundleIds: [])
        return try await partitions.ask(question, of: home, subject: "-").facts.filter {
            $0.kind == .appleOrder && $0.bundleId == bundleId && $0.detail == appleOrderId.rawValue
        }.compactMap(\.transactionId)
    }

    private func check(_ transaction: TransactionID, isOnly: Bool) async throws(Problem) {
        guard let look = try await look(transaction) else { return }
        // Of several purchases of one order the others are bought, too.
        guard isOnly || look.productId == productId else { return }
        guard let holder = look.holderId else {
            let text = "nobody's: counterfoil assign \(transaction) --buyer \(buyerId) --reason …"
            throw refusal(of: transaction, text, "orphan")
        }
        guard !isConfirmed || holder != buyerId else { return }
        let isGranted = await isGranted(look.purchaseId, to: holder)
        throw refusal(of: transaction, "\(isGranted ? "granted to" : "held by") \(holder)", "granted")
    }

    /// Nil where nobody knows the transaction.
    private func look(_ transaction: TransactionID) async throws(Problem) -> ReassignmentV1? {
        let question = ClaimReassignV1(
            purchaseId: PurchaseID(transaction),
            bundleId: bundleId,
            environment: environment,
            buyerId: buyerId,
            reason: "-",
            decidedBy: operatorId,
            isDryRun: true
        )
        do throws(Problem) {
            return try await PurchaseLook(gateway: gateway).find(question, namedIn: field).look
        } catch {
            guard error.status == .notFound else { throw error }
            return nil
        }
    }

    /// Only words depend on it: a ledger that does not answer is no reason to refuse otherwise.
    private func isGranted(_ purchase: PurchaseID, to holder: BuyerID) async -> Bool {
        let question = FactsFindV1(texts: [purchase.rawValue], bundleIds: [])
        let asker = PartitionAsker(partitions: gateway.partitions)
        let ledgers = asker.everywhere.filter { $0.service == .entitlements }
        let facts = await asker.answers(to: question, of: ledgers).replies.flatMap(\.facts).filter {
            $0.purchaseId == purchase && $0.bundleId == bundleId && $0.buyerId == holder
        }
        return DeskState(facts).kind == .granted
    }

    private func refusal(of transaction: TransactionID, _ text: String, _ reason: String) -> Problem {
        let detail = "The purchase \(transaction) of this order is \(text)."
        return Problem(RequestRefusal(.conflict, detail, field: field, reason: reason))
    }
}
