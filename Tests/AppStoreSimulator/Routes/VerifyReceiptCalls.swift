import AppStoreSigning
import Contracts
import Foundation
import Hummingbird

/// verifyReceipt, which answers with HTTP 200 and a status of its own, whatever is wrong.
extension StoreCall {
    /// Bytes of the longest body; HTTP 413 beyond.
    static let maximumReceiptBytes = 3_145_728

    func verifyReceipt() async throws -> Response {
        let buffer = try await request.body.collect(upTo: Self.maximumReceiptBytes)
        do {
            let wanted: ReceiptRequest
            do {
                wanted = try JSONDecoder().decode(ReceiptRequest.self, from: Data(buffer.readableBytesView))
            } catch {
                throw ReceiptStatus.malformed
            }
            return try .json(await answer(to: wanted))
        } catch let status as ReceiptStatus {
            return try answer(status)
        }
    }

    func answer(_ status: ReceiptStatus) throws -> Response { try .json(["status": status.rawValue]) }

    private func answer(to question: ReceiptRequest) async throws -> JSONValue {
        let content = try read(question.receiptData)
        guard content.environment == environment else {
            throw environment == .production ? ReceiptStatus.sandboxReceipt : .productionReceipt
        }
        let known = await current(content.transactions)
        try await checkSecret(question.password, content, known)
        if let account = known.first?.account, await store.apps.deletedAccounts.contains(account) {
            throw ReceiptStatus.accountNotFound
        }
        return switch content.form {
        case .app: try await appAnswer(content, known, isShort: question.excludeOldTransactions == true)
        case .transaction: try transactionAnswer(known)
        }
    }

    private func read(_ text: String) throws(ReceiptStatus) -> ReceiptContent {
        guard let bytes = Data(base64Encoded: text), !bytes.isEmpty else { throw .malformed }
        return try store.read(receipt: Array(bytes))
    }

    /// The transactions as they stand now; one that the books do not have stands as in the receipt.
    private func current(_ transactions: [SignedTransaction]) async -> [Sale] {
        var sales: [Sale] = []
        for transaction in transactions {
            sales.append(await store.sales.sale(transaction.transactionId) ?? Sale(transaction))
        }
        return sales
    }

    private func checkSecret(_ password: String?, _ content: ReceiptContent, _ sales: [Sale]) async throws {
        guard let secret = await store.apps.sharedSecret(of: content.bundleId) else { return }
        let isNeeded = sales.contains { $0.transaction.expiresDate != nil }
        guard password == secret || (password == nil && !isNeeded) else { throw ReceiptStatus.wrongSecret }
    }

    // MARK: App receipts

    private func appAnswer(
        _ content: ReceiptContent,
        _ sales: [Sale],
        isShort: Bool
    ) async throws -> JSONValue {
        var members: [String: JSONValue] = [
            "status": .integer(0),
            "environment": .string(environment.rawValue),
            "receipt": .object(await receipt(content, sales)),
        ]
        if let sale = sales.first(where: { $0.transaction.expiresDate != nil }) {
            let latest = await latest(sale, isShort: isShort)
            members["latest_receipt_info"] = .array(latest.map { .object(LegacyTransaction.latestRow($0)) })
            members["latest_receipt"] = .string(try await store.appReceipt(for: sale, quality))
            let renewals = await store.sales.subscriptions(of: sale).map { LegacyRenewal.row($0, latest: $1) }
            members["pending_renewal_info"] = .array(renewals.map(JSONValue.object))
        }
        return .object(members)
    }

    private func receipt(_ content: ReceiptContent, _ sales: [Sale]) async -> [String: JSONValue] {
        let isProduction = content.environment == .production
        let appAppleId = isProduction ? await store.apps.appAppleId(of: content.bundleId) : 0
        let oldest = sales.map(\.transaction.purchaseDate).min() ?? content.creationDate
        var receipt: [String: JSONValue] = [
            "receipt_type": .string(isProduction ? "Production" : "ProductionSandbox"),
            "adam_id": .integer(appAppleId),
            "app_item_id": .integer(appAppleId),
            "bundle_id": .string(content.bundleId),
            "application_version": .string(content.applicationVersion),
            "original_application_version": .string(content.originalApplicationVersion),
            "download_id": isProduction ? .integer(500_000_001) : .null,
            "version_external_identifier": .integer(isProduction ? 850_000_001 : 0),
            "in_app": .array(sales.map { .object(LegacyTransaction.row($0.transaction)) }),
        ]
        receipt.add(LegacyDate.members("receipt_creation_date", content.creationDate))
        receipt.add(LegacyDate.members("request_date", now.milliseconds))
        receipt.add(LegacyDate.members("original_purchase_date", oldest))
        return receipt
    }

    /// Everything that the account has, the latest first, without finished consumables; short: of each
    /// subscription its latest period only.
    private func latest(_ sale: Sale, isShort: Bool) async -> [SignedTransaction] {
        let held = await store.sales.history(of: sale)
            .filter { !($0.isConsumable && $0.isFinished) }
            .map(\.transaction)
            .sorted { $0.purchaseDate > $1.purchaseDate }
        guard isShort else { return held }
        var seen: Set<String> = []
        return held.filter { $0.expiresDate == nil || seen.insert($0.originalTransactionId).inserted }
    }

    // MARK: Receipts of iOS 6

    /// The one transaction, flat; 21006 with its receipt when it is a subscription's that has expired.
    private func transactionAnswer(_ sales: [Sale]) throws -> JSONValue {
        guard let sale = sales.first else { throw ReceiptStatus.malformed }
        var receipt = LegacyTransaction.row(sale.transaction)
        receipt["bid"] = .string(sale.transaction.bundleId)
        receipt["bvrs"] = .string("1.0")
        receipt["item_id"] = .string("600000001")
        let isExpired = (sale.transaction.expiresDate ?? .max) <= now.milliseconds
        return .object([
            "status": .integer(isExpired ? 21_006 : 0),
            "receipt": .object(receipt),
        ])
    }
}
